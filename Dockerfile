# docker build -t tributary . && docker run -p 8787:8787 -v tributary:/data tributary
#
# Runs as a user without rights and with a read-only root (--read-only); everything it writes is in the volume.

FROM node:26-bookworm-slim AS build
WORKDIR /build
COPY . .
RUN npm ci --ignore-scripts && npm run prepare \
  && node --disable-warning=ExperimentalWarning scripts/package/main.ts
# The package's own dependencies, as its lockfile pins them.
RUN cd dist/package && npm ci

FROM debian:bookworm-slim
# Node needs libatomic.
RUN apt-get update \
  && apt-get install -y --no-install-recommends libatomic1 \
  && rm -rf /var/lib/apt/lists/* \
  && useradd --system --uid 8787 --user-group --home-dir /data --no-create-home --shell /usr/sbin/nologin tributary \
  && install -d -o tributary -g tributary -m 700 /data \
  && ln -s /opt/tributary/bin/tributary.cjs /usr/local/bin/tributary
COPY --from=build /usr/local/bin/node /usr/local/bin/node
COPY --from=build /build/dist/package /opt/tributary
ENV PATH=/usr/local/bin:/usr/bin:/bin
ENV HOST=0.0.0.0 PORT=8787 DATA_DIR=/data
USER tributary
VOLUME /data
EXPOSE 8787
HEALTHCHECK --interval=30s --timeout=5s --start-period=60s CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/healthz`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
STOPSIGNAL SIGTERM
ENTRYPOINT ["tributary"]
CMD ["serve"]

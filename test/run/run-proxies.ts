import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Where Debian puts the proxies. */
export const [NGINX, CADDY] = ['/usr/sbin/nginx', '/usr/bin/caddy'];

/** A folder for the files of proxies, and the proxies that run on them. */
export function runProxies() {
  const folder = mkdtempSync(join(tmpdir(), 'tributary-proxy-'));
  const children: ChildProcess[] = [];
  return {
    folder,
    /** Runs nginx with these `server` blocks. */
    runNginx(servers: string): void {
      const config = join(folder, 'nginx.conf');
      writeFileSync(
        config,
        `daemon off; pid ${folder}/nginx.pid; error_log stderr; events {}
        http { access_log off; client_body_temp_path ${folder}/body; proxy_temp_path ${folder}/proxy;
          fastcgi_temp_path ${folder}/f; uwsgi_temp_path ${folder}/u; scgi_temp_path ${folder}/s;
          ${servers} }`,
      );
      children.push(spawn(NGINX, ['-p', folder, '-c', config], { stdio: 'ignore' }));
    },
    /** Runs Caddy with this Caddyfile, and variables for it. */
    runCaddy(caddyfile: string, variables: Readonly<Record<string, string>> = {}): void {
      const config = join(folder, 'Caddyfile');
      writeFileSync(config, caddyfile);
      const homes = { HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder };
      const env = { ...process.env, ...homes, ...variables };
      const args = ['run', '--config', config, '--adapter', 'caddyfile'];
      children.push(spawn(CADDY, args, { stdio: 'ignore', env }));
    },
    /** Ends the proxies and removes their files. */
    async end(): Promise<void> {
      for (const child of children) {
        const ended = once(child, 'exit');
        if (child.kill()) await ended;
      }
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

-- The leanest statements known for five panels, over the warehouse's own tables, without a filter. They find the
-- same rows and numbers: days without a visit are included. They find no notes (`meta`) and look up neither currencies
-- nor persons: they know the history.
--
-- A `part` replaces its name in braces. Other names in braces: {site}, {before} (the start of the previous period),
-- {from}, {to}, and {uniq}, the function that counts distinct visitors at this size.

-- part: in_period
site_id = {site} AND occurred_at >= {from} AND occurred_at < {to}

-- part: deeds
type IN ('pageview', 'goal', 'outbound', 'download')

-- part: visits_in_period
visits FINAL
  WHERE site_id = {site} AND visit_started_at >= {from} AND visit_started_at < {to} AND substring(first_bot_class, 9) = ''

-- part: settings
SETTINGS do_not_merge_across_partitions_select_final = 1

-- part: money
(
  SELECT cityHash64(visitor_id) AS visitor, kind, occurred_at, toUnixTimestamp64Milli(paid_at) AS paid_ms,
    if(kind = 'refund', -1, 1) * site_minor_0 AS euro_cents
  FROM payments FINAL WHERE site_id = {site} AND occurred_at >= {before} AND occurred_at < {to}
)

-- part: joined
(
  SELECT cityHash64(key) AS visitor, cityHash64(person_id) AS joined_person
  FROM persons FINAL WHERE site_id = {site} AND kind = 'visitor'
)

-- part: paid_by_person
(
  SELECT if(joined_person = 0, visitor, joined_person) AS person, paid_ms, sum(euro_cents) AS euro_cents
  FROM {money} AS money LEFT ANY JOIN {joined} AS joined USING (visitor)
  WHERE occurred_at >= {from} GROUP BY person, paid_ms
)

-- part: persons_who_paid
(
  SELECT if(joined_person = 0, visitor, joined_person)
  FROM (SELECT cityHash64(visitor_id) AS visitor FROM payments WHERE {in_period}) AS paid
  LEFT ANY JOIN {joined} AS joined USING (visitor)
)

-- part: visitors_who_paid
(SELECT * FROM {persons_who_paid} UNION ALL SELECT visitor FROM {joined} WHERE joined_person IN {persons_who_paid})

-- part: visits_who_paid
(
  SELECT if(joined_person = 0, visitor, joined_person) AS person, source, country, visit_id, touched_at
  FROM (
    SELECT visitor, substring(first_source, 9) AS source, substring(first_country, 9) AS country, visit_id,
      toUnixTimestamp64Milli(visit_started_at) + least(first_after_ms, 0) AS touched_at
    FROM visits FINAL
    WHERE site_id = {site} AND visitor IN {visitors_who_paid}
  ) AS visits LEFT ANY JOIN {joined} AS joined USING (visitor)
)

-- panel: headline
SELECT * FROM (
  SELECT visit_started_at >= {from} AS is_now, {uniq}(visitor) AS visitors, avg(greatest(last_after_ms - first_after_ms, 0)) AS duration,
    countIf(pageviews = 1 AND goals = 0) / count() AS bounces
  FROM visits FINAL
  WHERE site_id = {site} AND visit_started_at >= {before} AND visit_started_at < {to} AND substring(first_bot_class, 9) = ''
  GROUP BY is_now
) AS seen LEFT JOIN (
  SELECT occurred_at >= {from} AS is_now, {uniq}(visitor) AS converted
  FROM events
  WHERE site_id = {site} AND occurred_at >= {before} AND occurred_at < {to} AND type = 'goal' AND bot_class = ''
  GROUP BY is_now
) AS goals USING (is_now) LEFT JOIN (
  SELECT occurred_at >= {from} AS is_now, sum(euro_cents) AS revenue,
    uniqExactIf(if(joined_person = 0, visitor, joined_person), kind = 'payment') AS customers
  FROM {money} AS money LEFT ANY JOIN {joined} AS joined USING (visitor)
  GROUP BY is_now
) AS paid USING (is_now)
{settings}

-- panel: chart
SELECT day, visitors, revenue
FROM (
  SELECT toDate(visit_started_at, 'Europe/Berlin') AS day, {uniq}(visitor) AS visitors FROM {visits_in_period} GROUP BY day
) AS seen LEFT JOIN (
  SELECT toDate(occurred_at, 'Europe/Berlin') AS day, sum(euro_cents) AS revenue
  FROM {money} WHERE occurred_at >= {from} GROUP BY day
) AS paid USING (day)
ORDER BY day WITH FILL FROM toDate({from}, 'Europe/Berlin') TO toDate({to}, 'Europe/Berlin') + 1
{settings}

-- panel: sources
SELECT source, visitors, revenue
FROM (
  SELECT substring(first_source, 9) AS source, {uniq}(visitor) AS visitors FROM {visits_in_period} GROUP BY source
) AS seen LEFT JOIN (
  SELECT source, sum(euro_cents) AS revenue
  FROM {paid_by_person} AS paid LEFT JOIN (
    SELECT person, argMin(source, touched_at) AS source, min(touched_at) AS since
    FROM {visits_who_paid} GROUP BY person
  ) AS first USING (person)
  WHERE since <= paid_ms GROUP BY source
) AS credited USING (source)
ORDER BY visitors DESC LIMIT 10
{settings}

-- panel: countries
SELECT country, visitors, revenue
FROM (
  SELECT substring(first_country, 9) AS country, {uniq}(visitor) AS visitors FROM {visits_in_period} GROUP BY country
) AS seen LEFT JOIN (
  SELECT country, sum(euro_cents) AS revenue
  FROM {paid_by_person} AS paid LEFT JOIN (
    SELECT person, argMin(country, touched_at) AS country, min(touched_at) AS since
    FROM {visits_who_paid} GROUP BY person
  ) AS first USING (person)
  WHERE since <= paid_ms GROUP BY country
) AS credited USING (country)
ORDER BY visitors DESC LIMIT 10
{settings}

-- panel: pages
SELECT path, visitors, revenue
FROM (
  SELECT path, {uniq}(visitor) AS visitors FROM events
  WHERE {in_period} AND {deeds} AND bot_class = '' GROUP BY path
) AS seen LEFT JOIN (
  SELECT path, sum(euro_cents) AS revenue
  FROM (
    SELECT visit_id, sum(euro_cents) AS euro_cents
    FROM {paid_by_person} AS paid LEFT JOIN (
      SELECT person, argMin(visit_id, touched_at) AS visit_id, min(touched_at) AS since
      FROM {visits_who_paid} GROUP BY person
    ) AS first USING (person)
    WHERE since <= paid_ms GROUP BY visit_id
  ) AS credit JOIN (
    SELECT DISTINCT visit_id, path FROM events
    WHERE site_id = {site} AND {deeds} AND visitor IN {visitors_who_paid}
  ) AS shown USING (visit_id)
  GROUP BY path
) AS credited USING (path)
ORDER BY visitors DESC LIMIT 10
{settings}

-- A load generator that takes little of the machine (wrk, a Debian package). 64 callers, each of whom thinks for a while after
-- an answer: THINK_MS on average, evenly spread from none to twice that. Without, they send as fast as they are answered.
--
--   THINK_MS=16 wrk -t1 -c64 -d10s -s bench/steady.lua http://127.0.0.1:8000/events -- API_KEY
--
-- 1,000 actions of 1,000 agents come again and again, each time as an event of its own, of about 1 KB.
local think = tonumber(os.getenv("THINK_MS") or "0")
local actions = {
  { "crm:contact:read", "customer_record" }, { "crm:deal:update", "deal" }, { "email:message:send", "mailbox" },
  { "database:orders:query", "table" }, { "file:report:write", "file" }, { "calendar:event:create", "calendar_event" },
  { "payments:invoice:pay", "invoice" }, { "repo:branch:delete", "branch" }, { "http:external:get", "url" },
  { "deploy:production:update", "service" },
}
local bodies, sent, run = {}, 0, tostring(os.time())

function init(args)
  wrk.method = "POST"
  wrk.headers["Content-Type"] = "application/json"
  wrk.headers["X-API-Key"] = args[1]
  for i = 1, 1000 do
    local action = actions[i % #actions + 1]
    bodies[i] = string.format(
      '","action":"%s","agent":{"agent_id":"agent-%d","agent_type":"assistant","framework":"own","model":"large"},'
        .. '"session":{"session_id":"session-%d","user_id":"user-%d","started_at":"2026-01-05T09:00:00Z"},'
        .. '"target":{"resource_type":"%s","resource_id":"r-%d","sensitivity_level":%d},'
        .. '"parameters":{"query":"SELECT id, status FROM orders WHERE region = \'eu\' AND id > %d LIMIT 50","amount":%d,"note":"%s"},'
        .. '"user_context":"Check why the nightly export failed and run it again for the customers it left out.",'
        .. '"conversation_history":[{"role":"user","content":"Merge the release branch after the checks are green."}],'
        .. '"data_fields_accessed":["name",{"field":"email","classification":"PII"}],"metadata":{"region":"eu","attempt":1}}',
      action[1], i, i, i % 50, action[2], i, i % 5, i, i * 7, string.rep("all of it was agreed with the owner. ", 5))
  end
end

function request()
  sent = sent + 1
  return wrk.format(nil, nil, nil, '{"event_id":"' .. run .. "-" .. think .. "-" .. sent .. bodies[sent % 1000 + 1])
end

if think > 0 then
  function delay() return math.random(0, 2 * think) end
end

function done(summary, latency)
  local seconds = summary.duration / 1e6
  io.write(string.format("%d/s, p50 %.1f, p90 %.1f, p99 %.1f ms, slowest %.0f ms, not answered with 200: %d of %d\n",
    summary.requests / seconds, latency:percentile(50) / 1e3, latency:percentile(90) / 1e3, latency:percentile(99) / 1e3,
    latency.max / 1e3, summary.errors.status + summary.errors.read + summary.errors.timeout, summary.requests))
end

-- Sites with many URLs left whose server answers at once are visited in shorter intervals.
for _, queue in ipairs(crawl.queues{limit = 100}) do
  if queue.queued > 100 and queue.last_fetch_seconds > 0 and queue.last_fetch_seconds < 0.2 then
    local host = re.match(queue.queue, [[//([^/:]+)]])
    crawl.set("politeness.delay", "300ms", {sites = host})
    print(host, crawl.get("politeness.delay", {url = host}))
  end
end

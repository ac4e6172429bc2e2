-- Sites that fail: how often in a row, and what becomes of them.
for _, queue in ipairs(crawl.queues{by = "failures", limit = 1000}) do
  if queue.failures > 0 or queue.given_up ~= 0 then
    print(queue.failures, queue.queue, queue.state, queue.given_up ~= 0 and "given up with " .. queue.given_up or "")
  end
end

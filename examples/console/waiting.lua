-- The hosts for which the most URLs wait, and how many wait at all.
local hosts, names, marker = {}, {}, ""
repeat
  local part = crawl.queues{all = true, limit = 1000, marker = marker}
  for _, queue in ipairs(part.queues) do
    local host = re.match(queue.queue, [[//([^/:]+)]])
    if not hosts[host] then
      hosts[host] = 0
      names[#names + 1] = host
    end
    hosts[host] = hosts[host] + queue.queued
  end
  marker = part.marker
until marker == ""
table.sort(names, function(a, b) return hosts[a] > hosts[b] end)
for i = 1, math.min(20, #names) do
  print(hosts[names[i]], names[i])
end
print(crawl.status().queued, "in all")

-- Random links of the set, with the headers that a browser sends.
local links = tonumber(os.getenv('BENCH_LINKS') or '100000')
local tail = ' HTTP/1.1\r\nHost: localhost\r\n' ..
  'User-Agent: Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36\r\n' ..
  'Accept: text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8\r\n' ..
  'Accept-Language: en-GB,en;q=0.9,de;q=0.8\r\nAccept-Encoding: gzip, deflate, br\r\n' ..
  'Referer: https://news.example.org/today\r\n\r\n'
math.randomseed(42)
request = function()
  return 'GET /s' .. math.random(0, links - 1) .. tail
end

-- Random links of the set, with the headers that a browser sends; those with rules name an address as a proxy does.
local links = tonumber(os.getenv('BENCH_LINKS') or '100000')
local prefix = os.getenv('BENCH_PREFIX') or 's'
local host = os.getenv('BENCH_HOST') or 'localhost'
local addresses = tonumber(os.getenv('BENCH_ADDRESSES') or '0')
local tail =
  'User-Agent: Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36\r\n' ..
  'Accept: text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8\r\n' ..
  'Accept-Language: en-GB,en;q=0.9,de;q=0.8\r\nAccept-Encoding: gzip, deflate, br\r\n' ..
  'Referer: https://news.example.org/today\r\n\r\n'
math.randomseed(42)
local forwarded = function()
  if addresses == 0 then return '' end
  local i = math.random(0, addresses - 1)
  return 'X-Forwarded-For: ' .. (16 + i % 160) .. '.' .. (i * 7) % 256 .. '.' .. (i * 13) % 256 .. '.' .. (1 + i % 250) .. '\r\n'
end
request = function()
  return 'GET /' .. prefix .. math.random(0, links - 1) .. ' HTTP/1.1\r\nHost: ' .. host .. '\r\n' .. forwarded() .. tail
end

filedesc://x.arc 0.0.0.0 20260102030405 text/plain 76
1 0 LiveWeb Capture
URL IP-address Archive-date Content-type Archive-length

http://a/x y 1.2.3.4 20260102030405 text/html 19
HTTP/1.0 200 OK


http://b/ 1.2.3.4 20260102030405 text/html 200 sum - 0 x.arc 19
HTTP/1.0 200 OK



-- A message that is spam for all its recipients, where such are to be refused.
-- Run by miltertest with -D port=PORT.

local function check(ok, what)
  if ok then return end
  mt.echo(what)
  error(what)
end

local conn = mt.connect("inet:" .. port .. "@127.0.0.1", 20, 0.1)
check(conn ~= nil, "it does not listen")
check(mt.conninfo(conn, "client.example.net", "192.0.2.25") == nil, "conninfo")
check(mt.mailfrom(conn, "<bob@example.net>") == nil, "mailfrom")
check(mt.rcptto(conn, "<ann@example.com>") == nil, "rcptto")
check(mt.header(conn, "From", " Bob <bob@example.net>") == nil, "header")
check(mt.header(conn, "Subject", " Buy") == nil, "header")
check(mt.eoh(conn) == nil, "eoh")
check(mt.bodystring(conn, "Buy\r\n") == nil, "body")
check(mt.eom(conn) == nil, "eom")
check(mt.getreply(conn) == SMFIR_REPLYCODE, "it is not refused")

mt.disconnect(conn)

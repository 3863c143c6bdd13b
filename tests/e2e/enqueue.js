// Enqueues through the SQL function with the pg package, in the transaction of a change.
// Usage: node enqueue.js SOCKET_FOLDER DATABASE USER
const { Client } = require("pg");

async function main([host, database, user]) {
  const client = new Client({ host, database, user });
  await client.connect();
  await client.query("BEGIN");
  await client.query("INSERT INTO change VALUES (7)");
  const sql = "SELECT id, inserted FROM outrider.enqueue(namespace => $1, topic => $2, payload => $3, dedupe_key => $4)";
  const values = ["shop", "order", { order: 7, note: "Größe 😀" }, "order-7"];
  const first = (await client.query(sql, values)).rows[0];
  const again = (await client.query(sql, values)).rows[0];
  await client.query("COMMIT");
  await client.query("BEGIN");
  await client.query(sql, ["shop", "order", { order: 8 }, "order-8"]);
  await client.query("ROLLBACK");
  await client.end();
  console.log(JSON.stringify({ first: first.inserted, again: again.inserted, same: first.id === again.id }));
}

main(process.argv.slice(2)).catch((error) => {
  console.error(error.message);
  process.exit(1);
});

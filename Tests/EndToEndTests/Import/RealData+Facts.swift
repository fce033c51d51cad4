import SQLiteAccess
import Testing

extension RealData {
    /// Compares a store with what is known of the files by other means.
    func check(_ store: String) throws {
        let facts = try KnownFacts()
        let connection = try Connection(path: store, access: .readOnly)
        defer { try? connection.close() }
        for (name, query) in tables {
            let rows = try KnownFacts.rows(query, connection)
            #expect(String(rows.count) == facts[name + ".count"], "\(name)")
            #expect(KnownFacts.digest(rows) == facts[name + ".digest"], "\(name): \(rows.prefix(20))")
        }
        for (name, query) in values {
            #expect(try KnownFacts.rows(query, connection) == [facts[name]], "\(name)")
        }
        // No fact is without a query.
        let asked = Set(values.keys).union(tables.keys.flatMap { [$0 + ".count", $0 + ".digest"] })
        #expect(Set(facts.names(of: name)) == asked)
    }
}

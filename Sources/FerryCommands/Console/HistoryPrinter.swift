import KeyedArchives
import PersistentStores
import TextEncodings

/// Prints the transactions of persistent history one by one, as text or as JSON objects.
final class HistoryPrinter {
    private let isJSON: Bool
    private let showsChanges: Bool
    private var isFirst = true

    init(isJSON: Bool, showsChanges: Bool) {
        self.isJSON = isJSON
        self.showsChanges = showsChanges
    }

    func begin() {
        if isJSON { Console.print("{\"transactions\":[") }
    }

    func end(_ token: HistoryToken) {
        Console.print(isJSON ? "\n],\"token\":\"\(token)\"}\n" : "token: \(token)\n")
    }

    func print(
        _ transaction: HistoryTransaction, _ changes: ((HistoryChange) throws -> Void) throws -> Void
    ) throws {
        guard isJSON else { return try printLines(transaction, changes) }
        Console.print((isFirst ? "\n" : ",\n") + JSONText.line(Transaction(transaction)).dropLast(2))
        isFirst = false
        if showsChanges {
            var separator = ",\"changes\":[\n"
            try changes {
                Console.print(separator + String(JSONText.line(Change($0)).dropLast()))
                separator = ",\n"
            }
            Console.print(separator == ",\n" ? "]" : ",\"changes\":[]")
        }
        Console.print("}")
    }

    private func printLines(
        _ transaction: HistoryTransaction, _ changes: ((HistoryChange) throws -> Void) throws -> Void
    ) throws {
        let counts = [
            ("inserted", transaction.inserted), ("updated", transaction.updated), ("deleted", transaction.deleted),
        ].filter { $0.1 > 0 }.map { "\($0.1) \($0.0)" }
        let names = [
            ("author", transaction.author), ("context", transaction.contextName), ("bundle", transaction.bundleID),
            ("process", transaction.processID),
        ].compactMap { name, value in value.map { "\(name) \(PrintableText.line($0))" } }
        let parts = ["\(transaction.number)", Self.text(transaction.date) ?? "no date"] + names
        Console.print(
            parts.joined(separator: "  ") + ": " + (counts.isEmpty ? "no changes" : counts.joined(separator: ", "))
                + "\n")
        guard showsChanges else { return }
        try changes { change in
            Console.print(
                "    \(change.kind?.rawValue ?? "changed") "
                    + (change.objectID?.uri ?? "entity \(change.entityNumber), key \(change.primaryKey)") + "\n")
        }
    }

    private static func text(_ date: Double?) -> String? {
        date.map { PropertyListDate.text(of: $0) ?? "\($0)" }
    }

    private struct Transaction: Encodable {
        let number: Int64
        let date, author, contextName, bundleID, processID: String?
        let inserted, updated, deleted: Int64

        init(_ transaction: HistoryTransaction) {
            number = transaction.number
            date = HistoryPrinter.text(transaction.date)
            author = transaction.author
            contextName = transaction.contextName
            bundleID = transaction.bundleID
            processID = transaction.processID
            (inserted, updated, deleted) = (transaction.inserted, transaction.updated, transaction.deleted)
        }
    }

    private struct Change: Encodable {
        let kind, object, columns: String?
        let entityNumber, primaryKey: Int64
        let tombstone: [String: String]?

        init(_ change: HistoryChange) {
            kind = change.kind?.rawValue
            object = change.objectID?.uri
            columns = change.columns.map { Base64.encode($0) }
            (entityNumber, primaryKey) = (change.entityNumber, change.primaryKey)
            tombstone =
                change.tombstone.isEmpty
                ? nil
                : Dictionary(uniqueKeysWithValues: change.tombstone.map { ("\($0.key)", Base64.encode($0.value)) })
        }
    }
}

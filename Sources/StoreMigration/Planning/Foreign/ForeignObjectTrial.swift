import PersistentStores
import SQLiteAccess

/// Creates somebody else's index, trigger or view, and takes it back where it would not work.
///
/// SQLite takes almost any trigger and any view. That one names a column that is gone shows when a statement on its
/// table is compiled: then every save of the app would fail. So such statements are compiled here, and never run.
struct ForeignObjectTrial {
    let connection: Connection

    /// Returns what SQLite says against the object, which then is not there; nil if it works.
    ///
    /// Throws `SQLiteError` where something else is wrong, such as a full disk.
    func create(_ object: SchemaObject) throws(SQLiteError) -> String? {
        do {
            try connection.execute(object.sql ?? "")
        } catch {
            guard Self.isOfTheObject(error) else { throw error }
            return error.message
        }
        // Apps' connections take names in double quotes for text, and let schemas call functions of the app.
        connection.setLenientSchema(true)
        defer { connection.setLenientSchema(false) }
        for statement in try statements(on: object) {
            if let reason = try fault(in: statement) {
                try connection.execute("DROP \(object.kind.rawValue) main.\(SQLiteIdentifier.quoted(object.name))")
                return reason
            }
        }
        return nil
    }

    /// Statements that compile the object.
    private func statements(on object: SchemaObject) throws(SQLiteError) -> [String] {
        switch object.kind {
        case .index: return []
        case .view: return ["SELECT * FROM main.\(SQLiteIdentifier.quoted(object.name))"]
        case .trigger:
            let table = "main.\(SQLiteIdentifier.quoted(object.table))"
            let columns = try connection.rows("PRAGMA main.table_info(\(SQLiteIdentifier.quoted(object.table)))")
                .compactMap { $0[1].string }.map(SQLiteIdentifier.quoted)
            var statements = ["INSERT INTO \(table) DEFAULT VALUES", "DELETE FROM \(table)"]
            // Triggers may be on an update of some columns only.
            if !columns.isEmpty {
                statements.append("UPDATE \(table) SET \(columns.map { "\($0) = \($0)" }.joined(separator: ", "))")
            }
            return statements
        }
    }

    private func fault(in statement: String) throws(SQLiteError) -> String? {
        // Functions of Core Data that are not known here are its own business: with them, the rest is looked at.
        for _ in 0..<Self.maximumFunctions {
            do {
                _ = try connection.prepare(statement)
                return nil
            } catch {
                guard Self.isOfTheObject(error) else { throw error }
                guard let function = Self.unknownCoreDataFunction(error.message) else {
                    return Self.isOfTheEnvironment(error.message) ? nil : error.message
                }
                try connection.registerFunction(function, argumentCount: -1, deterministic: false) { _ in .null }
            }
        }
        return nil
    }

    /// Some more than one object can reasonably call.
    private static let maximumFunctions = 100

    private static func unknownCoreDataFunction(_ message: String) -> String? {
        let start = "no such function: "
        guard message.hasPrefix(start + "NSCoreData") else { return nil }
        return String(message.dropFirst(start.count))
    }

    /// 1 is SQLITE_ERROR, for what does not compile; 19 is SQLITE_CONSTRAINT, for a unique index over equal values.
    private static func isOfTheObject(_ error: SQLiteError) -> Bool {
        error.primaryCode == 1 || error.primaryCode == 19
    }

    /// What only this connection lacks: the app has its collations and modules, and a view takes the changes that its
    /// triggers are for.
    private static func isOfTheEnvironment(_ message: String) -> Bool {
        message.hasPrefix("no such collation sequence") || message.hasPrefix("no such module")
            || message.hasPrefix("cannot modify ") || message.hasSuffix("may not be modified")
    }
}

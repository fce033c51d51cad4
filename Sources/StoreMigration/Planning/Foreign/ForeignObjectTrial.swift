import PersistentStores
import SQLiteAccess

/// Creates an index, trigger or view that does not belong to Core Data, and removes it again if it would not work.
///
/// SQLite accepts almost any trigger or view. If it names a column that does not exist, this only shows when a
/// statement on its table is compiled, and then every save of the app would fail. Therefore such statements are
/// compiled here, without running them.
struct ForeignObjectTrial {
    let connection: Connection

    /// Creates the object. Returns SQLite's error message if it would not work, in which case it does not exist;
    /// otherwise nil.
    ///
    /// Throws `SQLiteError` for other errors, such as a full disk.
    func create(_ object: SchemaObject) throws(SQLiteError) -> String? {
        do {
            try connection.execute(object.sql ?? "")
        } catch {
            guard Self.isOfTheObject(error) else { throw error }
            return error.message
        }
        // The connections of apps treat names in double quotes as text, and allow schemas to call functions of the app.
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

    /// Returns statements whose compilation tests the object.
    private func statements(on object: SchemaObject) throws(SQLiteError) -> [String] {
        switch object.kind {
        case .index: return []
        case .view: return ["SELECT * FROM main.\(SQLiteIdentifier.quoted(object.name))"]
        case .trigger:
            let table = "main.\(SQLiteIdentifier.quoted(object.table))"
            let columns = try connection.rows("PRAGMA main.table_info(\(SQLiteIdentifier.quoted(object.table)))")
                .compactMap { $0[1].string }.map(SQLiteIdentifier.quoted)
            var statements = ["INSERT INTO \(table) DEFAULT VALUES", "DELETE FROM \(table)"]
            // Triggers may only apply to an update of some columns.
            if !columns.isEmpty {
                statements.append("UPDATE \(table) SET \(columns.map { "\($0) = \($0)" }.joined(separator: ", "))")
            }
            return statements
        }
    }

    private func fault(in statement: String) throws(SQLiteError) -> String? {
        // Functions that only the app defines are replaced, so that the rest of the statement can be tested.
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

    /// More than a single object is likely to call.
    private static let maximumFunctions = 100

    private static func unknownCoreDataFunction(_ message: String) -> String? {
        let start = "no such function: "
        guard message.hasPrefix(start + "NSCoreData") else { return nil }
        return String(message.dropFirst(start.count))
    }

    /// Returns whether the object itself causes an error: 1 is SQLITE_ERROR, for statements that do not compile; 19 is
    /// SQLITE_CONSTRAINT, for a unique index over equal values.
    private static func isOfTheObject(_ error: SQLiteError) -> Bool {
        error.primaryCode == 1 || error.primaryCode == 19
    }

    /// Returns whether only this connection has the problem: the app has its own collations and modules, and views can
    /// be changed because of their triggers.
    private static func isOfTheEnvironment(_ message: String) -> Bool {
        message.hasPrefix("no such collation sequence") || message.hasPrefix("no such module")
            || message.hasPrefix("cannot modify ") || message.hasSuffix("may not be modified")
    }
}

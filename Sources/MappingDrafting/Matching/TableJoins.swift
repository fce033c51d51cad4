import ManagedObjectModels
import RecordSources
import SQLiteAccess

/// A query over a table and the tables that it refers to, for keys that it contains only by reference.
struct TableJoins {
    private let relation: SQLiteRelation
    private var selected: [String] = []
    private var joined: [String] = []
    private var names: Set<String>

    init(_ relation: SQLiteRelation) {
        self.relation = relation
        names = Set(relation.columns.map { $0.name.lowercased() })
    }

    var isEmpty: Bool { joined.isEmpty }

    var query: String {
        "SELECT t.*" + selected.map { ", " + $0 }.joined() + "\nFROM \(Self.quoted(relation.name)) t\n"
            + joined.map { $0 + "\n" }.joined()
    }

    /// Returns the columns with the key of the objects that a foreign key refers to; nil if they have none.
    mutating func key(of other: TablePlan, through key: SQLiteRelation.ForeignKey) -> [KeyColumn]? {
        let referenced = key.referencedColumns.isEmpty ? other.relation.primaryKey : key.referencedColumns
        guard referenced.count == key.columns.count, !referenced.isEmpty else { return nil }
        // The referenced column may be an attribute itself.
        let direct = zip(referenced, key.columns).compactMap { target, column in
            other.columns.first { $0.value.lowercased() == target.lowercased() }.map {
                KeyColumn(attribute: $0.key, column: column)
            }
        }
        if direct.count == referenced.count { return direct }
        let columns = other.key.compactMap { other.columns[$0] }
        guard !columns.isEmpty, columns.count == other.key.count else { return nil }
        let alias = "r\(joined.count + 1)"
        let condition = zip(referenced, key.columns).map { target, column in
            "\(alias).\(Self.quoted(target)) = t.\(Self.quoted(column))"
        }
        joined.append(
            "LEFT JOIN \(Self.quoted(other.relation.name)) \(alias) ON " + condition.joined(separator: " AND "))
        let stem = Self.stem(of: key.columns[0], referenced[0])
        return zip(other.key, columns).map { attribute, column in
            let name = freeName("\(stem)_\(column)")
            selected.append("\(alias).\(Self.quoted(column)) AS \(Self.quoted(name))")
            return KeyColumn(attribute: attribute, column: name)
        }
    }

    /// Returns `department` for `department_id`.
    private static func stem(of column: String, _ referenced: String) -> String {
        for ending in ["_" + referenced, "_id", "Id", "ID"]
        where column.hasSuffix(ending) && column.count > ending.count {
            return String(column.dropLast(ending.count))
        }
        return column
    }

    private mutating func freeName(_ wanted: String) -> String {
        var name = wanted
        var number = 2
        while !names.insert(name.lowercased()).inserted {
            name = "\(wanted)_\(number)"
            number += 1
        }
        return name
    }

    /// Returns a name for a query: plain names are not quoted, for readability; all others, and SQL keywords, are.
    private static func quoted(_ name: String) -> String {
        let isPlain =
            name.utf8.allSatisfy { 0x61...0x7A ~= $0 || 0x30...0x39 ~= $0 || $0 == 0x5F }
            && name.contains("_") && !(name.first?.isNumber ?? true)
        return isPlain || name == "id" || name == "code" || name == "name" ? name : SQLiteIdentifier.quoted(name)
    }
}

import SQLiteAccess

/// The objects of a store of the model `Staff`, read by plain SQL that knows its columns.
struct StoredGraph {
    private let connection: Connection
    private let links: [PlainGraph.Link]

    init(_ path: String, _ links: [PlainGraph.Link]) throws {
        connection = try Connection(path: path, access: .readOnly)
        self.links = links
    }

    private static let tables = [
        "Badge": ("ZBADGE", "ZNUMBER", "0"), "Department": ("ZDEPARTMENT", "ZNAME", "ifnull(ZCODE, 0)"),
        "Employee": ("ZPERSON", "ZLASTNAME", "ifnull(ZSALARY, 0)"),
        "Project": ("ZPROJECT", "ZTITLE", "ifnull(ZNUMBER, 0)"), "Note": ("ZNOTE", "ZTEXT", "0"),
    ]

    /// The keys of the objects that an object leads to, in order.
    private func query(_ link: PlainGraph.Link) -> String {
        switch link.name {
        case "employees":
            "SELECT Z_PK FROM ZPERSON WHERE ZDEPARTMENT = ?1"
                + (link.isOrdered ? " ORDER BY Z_FOK_DEPARTMENT" : "")
        case "department": "SELECT ZDEPARTMENT FROM ZPERSON WHERE Z_PK = ?1"
        case "manager": "SELECT ZMANAGER FROM ZPERSON WHERE Z_PK = ?1"
        case "reports": "SELECT Z_PK FROM ZPERSON WHERE ZMANAGER = ?1"
        case "badge": "SELECT ZBADGE FROM ZPERSON WHERE Z_PK = ?1"
        case "owner": "SELECT ZOWNER FROM ZBADGE WHERE Z_PK = ?1"
        case "projects":
            "SELECT Z_7PROJECTS FROM Z_5PROJECTS WHERE Z_5MEMBERS = ?1"
                + (link.isOrdered ? " ORDER BY Z_FOK_7PROJECTS" : "")
        case "members": "SELECT Z_5MEMBERS FROM Z_5PROJECTS WHERE Z_7PROJECTS = ?1"
        case "related": "SELECT REFLEXIVE FROM Z_7RELATED WHERE Z_7RELATED = ?1"
        default: "SELECT Z_PK FROM ZNOTE WHERE Z2NOTES = ?1" + (link.isOrdered ? " ORDER BY Z_FOK_2NOTES" : "")
        }
    }

    func lines() throws -> [String] {
        var result: [String] = []
        for (entity, table) in Self.tables {
            for row in try connection.rows("SELECT Z_PK, \(table.1), \(table.2) FROM \(table.0)") {
                var parts = ["\(entity) \(Self.text(row[1])): \(row[2].integer ?? -1)"]
                for link in links where link.owner == entity && link.isReal {
                    let tag =
                        "SELECT \(Self.tables[link.destination]?.1 ?? "") FROM "
                        + "\(Self.tables[link.destination]?.0 ?? "") WHERE Z_PK = ?"
                    let found = try connection.rows(query(link), [row[0]]).filter { !$0[0].isNull }
                    let tags = try found.map { Int(Self.text(try connection.value(tag, [$0[0]]))) ?? -1 }
                    if link.isMany {
                        parts.append("\(link.name)=\(link.isOrdered ? tags : tags.sorted())")
                    } else if let other = tags.first {
                        parts.append("\(link.name)=\(other)")
                    }
                }
                result.append(parts.joined(separator: " "))
            }
        }
        return result.sorted()
    }

    private static func text(_ value: SQLiteValue) -> String { value.string ?? value.integer.map { "\($0)" } ?? "" }
}

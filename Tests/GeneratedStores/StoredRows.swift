import Foundation
import ManagedObjectModels
import PersistentStores
import SQLiteAccess

/// Turns objects and links into rows of the tables of a layout.
struct StoredRows {
    let layout: StoreLayout
    let externalThreshold: Int
    let storePath: String

    private var model: ResolvedModel { layout.model }

    func insert(_ content: StoreContent, on connection: Connection) throws {
        let columns = try linkColumns(content)
        for table in layout.tables {
            let names = table.columns.map { SQLiteIdentifier.bare($0.name) }.joined(separator: ", ")
            let places = table.columns.indices.map { "?\($0 + 1)" }.joined(separator: ", ")
            let statement = try connection.prepare(
                "INSERT INTO \(SQLiteIdentifier.bare(table.name)) (\(names)) VALUES (\(places))")
            for (index, object) in content.objects.enumerated() where model.entities[object.slot].root == table.root {
                try statement.bind(try table.columns.map { try value(of: $0.role, object, columns[index] ?? [:]) })
                try statement.run()
            }
        }
        for table in layout.joinTables { try insertLinks(of: table, content, on: connection) }
    }

    private func value(
        of role: EntityColumn.Role, _ object: StoreContent.Object, _ links: [EntityColumn.Role: SQLiteValue]
    ) throws -> SQLiteValue {
        switch role {
        case .primaryKey: return .integer(object.key)
        case .entityNumber: return .integer(Int64(layout.entityNumbers[object.slot]))
        case .optimisticLock: return .integer(object.optimisticLock)
        case .attribute(let key):
            let entity = model.entities[object.slot]
            guard let attribute = entity.attributes.first(where: { $0.key == key }) else { return .null }
            let value = object.values[key] ?? .null
            return attribute.description.allowsExternalBinaryDataStorage ? try tagged(value) : value
        default: return links[role] ?? .null
        }
    }

    /// docs/format/sqlite-store.md#external-binary-data: 01 and the data, or 02, the name of a file, and NUL.
    private func tagged(_ value: SQLiteValue) throws -> SQLiteValue {
        guard let bytes = value.blob else { return .null }
        guard bytes.count >= externalThreshold else { return .blob([1] + bytes) }
        let directory = StoreFiles(storePath).externalDataDirectory
        try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
        let name = UUID().uuidString
        try Data(bytes).write(to: URL(fileURLWithPath: directory + "/" + name))
        return .blob([2] + Array(name.utf8) + [0])
    }

    // MARK: - Links

    private static func orderKey(_ place: Int) -> SQLiteValue { .integer(Int64(2048 + 1024 * place)) }

    /// The values of key columns, by object.
    private func linkColumns(_ content: StoreContent) throws -> [Int: [EntityColumn.Role: SQLiteValue]] {
        var result: [Int: [EntityColumn.Role: SQLiteValue]] = [:]
        for (key, links) in content.links {
            guard let relationship = model.entities[key.owner].relationship(named: key.name) else { continue }
            var places: [Int: Int] = [:]
            for link in links {
                switch relationship.storage {
                case .toOne:
                    let place = places[link.destination, default: 0]
                    places[link.destination] = place + 1
                    set(key, content, holder: link.owner, target: link.destination, place: place, in: &result)
                    if let inverse = relationship.inverse, !inverse.isToMany {
                        set(
                            inverse.key, content, holder: link.destination, target: link.owner, place: place,
                            in: &result)
                    }
                case .unidirectional:
                    let place = places[link.owner, default: 0]
                    places[link.owner] = place + 1
                    let owner = content.objects[link.owner]
                    result[link.destination, default: [:]][.unidirectional(key)] = .integer(owner.key)
                    result[link.destination, default: [:]][.unidirectionalEntity(key)] =
                        .integer(Int64(layout.entityNumbers[owner.slot]))
                    result[link.destination, default: [:]][.unidirectionalOrder(key)] = Self.orderKey(place)
                case .inverseToOne, .joinTable: break
                }
            }
        }
        return result
    }

    private func set(
        _ key: PropertyKey, _ content: StoreContent, holder: Int, target: Int, place: Int,
        in result: inout [Int: [EntityColumn.Role: SQLiteValue]]
    ) {
        // An index outside stands for an object that is gone.
        let isThere = content.objects.indices.contains(target)
        result[holder, default: [:]][.toOne(key)] = .integer(isThere ? content.objects[target].key : 999_999)
        if isThere {
            result[holder, default: [:]][.toOneEntity(key)] =
                .integer(Int64(layout.entityNumbers[content.objects[target].slot]))
        }
        result[holder, default: [:]][.toOneOrder(key)] = Self.orderKey(place)
    }

    private func insertLinks(of table: JoinTable, _ content: StoreContent, on connection: Connection) throws {
        for key in Set([table.relationship, table.inverse]) {
            guard let links = content.links[key] else { continue }
            let isSwapped = key != table.relationship
            let names = table.columnNames.map(SQLiteIdentifier.bare).joined(separator: ", ")
            let places = table.columnNames.indices.map { "?\($0 + 1)" }.joined(separator: ", ")
            let statement = try connection.prepare(
                "INSERT OR IGNORE INTO \(SQLiteIdentifier.bare(table.name)) (\(names)) VALUES (\(places))")
            var ownerPlaces: [Int: Int] = [:]
            var destinationPlaces: [Int: Int] = [:]
            for link in links {
                let (owner, destination) = isSwapped ? (link.destination, link.owner) : (link.owner, link.destination)
                let (place, inversePlace) = (ownerPlaces[owner, default: 0], destinationPlaces[destination, default: 0])
                ownerPlaces[owner] = place + 1
                destinationPlaces[destination] = inversePlace + 1
                var values: [SQLiteValue] = [
                    .integer(content.objects[owner].key), .integer(content.objects[destination].key),
                ]
                if table.inverseOrderColumn != nil { values.append(Self.orderKey(inversePlace)) }
                if table.orderColumn != nil { values.append(Self.orderKey(place)) }
                try statement.bind(values)
                try statement.run()
            }
        }
    }
}

import ManagedObjectModels
import PersistentStores
import SQLiteAccess
import SQLiteFileBuilder
import StoreAssembly
import TextEncodings

/// The cells of an entity's rows, in the order of its table's columns.
struct FixtureRow {
    enum LinkPart {
        case key, entity, order
    }

    private enum Cell {
        case primaryKey, entityNumber, optimisticLock
        case attribute(AttributeFixture, population: Population)
        /// A link, by its index in `links`.
        case link(Int, LinkPart)
        /// A column of another entity in the table.
        case null
    }

    private struct Link {
        /// Its index in the plan.
        let place: Int
        let plan: FixturePlan.Link
        let isSecond: Bool
        /// The root entity of the table to which the key leads.
        let destinationRoot: Int
        /// The objects that have the key, and those to which it leads.
        var holders: Population { isSecond ? plan.second : plan.first }
        var destinations: Population { isSecond ? plan.first : plan.second }
    }

    private let plan: FixturePlan
    private let entity: ResolvedEntity
    private var cells: [Cell] = []
    private var links: [Link] = []
    private var targets: [LinkTarget?] = []

    init(_ plan: FixturePlan, entity: ResolvedEntity, table: EntityTable) {
        self.plan = plan
        self.entity = entity
        for column in table.columns { cells.append(cell(column.role)) }
        targets = [LinkTarget?](repeating: nil, count: links.count)
    }

    private mutating func cell(_ role: EntityColumn.Role) -> Cell {
        switch role {
        case .primaryKey: return .primaryKey
        case .entityNumber: return .entityNumber
        case .optimisticLock: return .optimisticLock
        case .attribute(let key):
            guard entity.attributes.contains(where: { $0.key == key }), let fixture = plan.attributes[key] else {
                return .null
            }
            return .attribute(fixture, population: plan.counts.population(of: key.owner))
        case .toOne(let key): return link(key, isUnidirectional: false, .key)
        case .toOneEntity(let key): return link(key, isUnidirectional: false, .entity)
        case .toOneOrder(let key): return link(key, isUnidirectional: false, .order)
        case .unidirectional(let key): return link(key, isUnidirectional: true, .key)
        case .unidirectionalEntity(let key): return link(key, isUnidirectional: true, .entity)
        case .unidirectionalOrder(let key): return link(key, isUnidirectional: true, .order)
        }
    }

    private mutating func link(_ key: PropertyKey, isUnidirectional: Bool, _ part: LinkPart) -> Cell {
        let column = FixturePlan.LinkColumn(key: key, isUnidirectional: isUnidirectional)
        guard let (place, isSecond) = plan.linkColumns[column] else { return .null }
        if let known = links.firstIndex(where: { $0.place == place && $0.isSecond == isSecond }) {
            return .link(known, part)
        }
        let planned = plan.links[place]
        let holders = isSecond ? planned.rule.second.slots : planned.rule.first.slots
        let others = isSecond ? planned.rule.first.slots : planned.rule.second.slots
        guard holders.contains(entity.slot), let destination = others.first else { return .null }
        links.append(
            Link(
                place: place, plan: planned, isSecond: isSecond,
                destinationRoot: plan.model.entities[destination].root))
        return .link(links.count - 1, part)
    }

    /// Appends the row of an object.
    ///
    /// - Parameters:
    ///   - number: its number among the objects of its entity.
    ///   - numberInTable: its number among all objects of the table.
    mutating func append(
        _ number: Int, _ numberInTable: Int, to table: TableBuilder, _ files: StagedExternalData
    ) throws {
        for index in links.indices {
            let link = links[index]
            targets[index] = link.plan.links.target(of: numberInTable - link.holders.first, isSecond: link.isSecond)
        }
        let kind = RowKind(number: number)
        let key = Int64(numberInTable + 1)
        table.beginRow()
        for cell in cells {
            switch cell {
            case .primaryKey: table.append(key)
            case .entityNumber: table.append(Int64(plan.layout.entityNumbers[entity.slot]))
            case .optimisticLock: table.append(Int64(kind == .greatest ? 7 : 1))
            case .attribute(let fixture, let population):
                let valuePlace = ValuePlace(number: numberInTable - population.first, kind: kind)
                try table.append(value(fixture, valuePlace, numberInTable, files))
            case .link(let link, let part): try table.append(value(link, part))
            case .null: table.appendNull()
            }
        }
        try table.endRow(key)
    }

    private func value(
        _ fixture: AttributeFixture, _ place: ValuePlace, _ numberInTable: Int, _ files: StagedExternalData
    ) throws -> SQLiteValue {
        let attribute = fixture.attribute
        let distinct = plan.distinctNumber(of: attribute.key, numberInTable: numberInTable)
        guard let value = fixture.value(at: place, distinct: distinct) else { return .null }
        guard case .binary(let bytes) = value, attribute.description.hasExternalData else {
            return StoredValue.stored(value, as: attribute.type)
        }
        var column: [UInt8] = []
        try files.add(bytes[...], named: { UUIDText.text(fixture.fileName(at: place)) }, to: &column)
        return .blob(column)
    }

    private func value(_ index: Int, _ part: LinkPart) -> SQLiteValue {
        guard let target = targets[index] else { return .null }
        let link = links[index]
        switch part {
        case .key: return .integer(link.destinations.primaryKey(target.number))
        case .order: return .integer(target.orderKey)
        case .entity:
            let slot = plan.counts.slot(
                inTableOf: link.destinationRoot, number: link.destinations.first + target.number)
            return .integer(Int64(plan.layout.entityNumbers[slot]))
        }
    }
}

public import ManagedObjectModels

/// Finds the tables and columns of a model in an existing store, by name and never by position.
///
/// Names in real stores differ from the predicted ones: in-place migrations keep the numbers of older versions, a join
/// table within one entity may be named after either side, and it is unpredictable which of several join columns has
/// the plain name.
public struct LayoutMatching {
    private let model: ResolvedModel
    private let schema: StoreSchema
    private let entityNumbers: [Int]
    private var problems: [LayoutProblem] = []

    /// Returns the layout of a store, with the tables and columns that it lacks.
    /// - Parameters:
    ///   - model: the model that the store is read with.
    ///   - schema: the tables and columns of the store.
    ///   - numbersByName: the entity numbers in `Z_PRIMARYKEY` by entity name.
    public static func layout(
        of model: ResolvedModel, in schema: StoreSchema, numbersByName: [String: Int]
    ) -> StoreLayout {
        var matching = LayoutMatching(model: model, schema: schema, numbersByName: numbersByName)
        return matching.layout()
    }

    private init(model: ResolvedModel, schema: StoreSchema, numbersByName: [String: Int]) {
        self.model = model
        self.schema = schema
        entityNumbers = Self.entityNumbers(of: model, numbersByName)
    }

    /// Returns the store's own numbers, by name. An in-place migration may leave the old name of a renamed entity: its
    /// number is then that of the model or, in a store with other numbers, the first unused one.
    private static func entityNumbers(of model: ResolvedModel, _ numbersByName: [String: Int]) -> [Int] {
        var taken = Set(model.entities.compactMap { numbersByName[$0.name] })
        var free = numbersByName.values.filter { !taken.contains($0) && $0 <= EntityRecord.firstSystemNumber }.sorted()
        return model.entities.map { entity in
            if let number = numbersByName[entity.name] { return number }
            var number = entity.number
            if taken.contains(number), let other = free.first { number = other }
            while taken.contains(number) { number += 1 }
            taken.insert(number)
            free.removeAll { $0 == number }
            return number
        }
    }

    private mutating func layout() -> StoreLayout {
        var naming = ColumnNaming(model: model, entityNumbers: entityNumbers)
        let places = Dictionary(grouping: naming.places(), by: \.root)
        var tables: [EntityTable] = []
        for root in model.rootSlots {
            let name = LayoutPrediction.tableName(ofRoot: model.entities[root])
            guard let table = schema.table(named: name) else {
                problems.append(.missingTable(name, entity: model.entities[root].name))
                continue
            }
            tables.append(
                EntityTable(
                    name: table.name, root: root,
                    columns: LayoutPrediction.standardColumns + columns(for: places[root] ?? [], in: table)))
        }
        let naming2 = JoinTableNaming(model: model, entityNumbers: entityNumbers)
        let joinTables = naming2.pairs().compactMap { joinTable(of: $0, naming: naming2) }
        return StoreLayout(
            model: model, entityNumbers: entityNumbers, tables: tables, joinTables: joinTables, problems: problems)
    }

    private mutating func columns(for places: [ColumnNaming.Place], in table: SchemaTable) -> [EntityColumn] {
        var free = Set(table.columns.map(\.name)).subtracting(["Z_PK", "Z_ENT", "Z_OPT"])
        var found: [Int: String] = [:]
        for index in places.indices where free.remove(places[index].name) != nil {
            found[index] = places[index].name
        }
        for index in places.indices where found[index] == nil {
            let place = places[index]
            if let name = free.filter({ Self.isVariant($0, of: place) }).min(by: { ($0.count, $0) < ($1.count, $1) }) {
                free.remove(name)
                found[index] = name
            } else if let property = Self.requiredProperty(of: place) {
                problems.append(
                    .missingColumn(
                        table: table.name, column: place.name,
                        property: "\(model.entities[property.owner].name).\(property.name)"))
            }
        }
        return places.indices.compactMap { index in
            found[index].map {
                EntityColumn(name: $0, declaredType: places[index].declaredType, role: places[index].role)
            }
        }
    }

    /// Returns whether a column's name differs from the predicted one only in the numbers in it.
    private static func isVariant(_ name: String, of place: ColumnNaming.Place) -> Bool {
        var base = Substring(place.name).dropLast(place.suffix.count)
        var rest = Substring(name)
        switch place.role {
        case .toOneEntity, .unidirectionalEntity, .unidirectional:
            // Z4_OWNER, Z4DOCUMENTS: the number is that of an entity, which may differ in older versions.
            guard rest.first == "Z", rest.dropFirst().first?.isNumber == true else { return false }
            base = base.dropFirst().drop(while: \.isNumber)
            rest = rest.dropFirst().drop(while: \.isNumber)
        case .unidirectionalOrder:
            guard rest.hasPrefix("Z_FOK_") else { return false }
            base = base.dropFirst(6).drop(while: \.isNumber)
            rest = rest.dropFirst(6).drop(while: \.isNumber)
        default: break
        }
        guard rest.hasPrefix(base) else { return false }
        return rest.dropFirst(base.count).allSatisfy(\.isNumber)
    }

    /// Returns the property that cannot be read without the column; nil for entity numbers and order keys, which are
    /// dispensable.
    private static func requiredProperty(of place: ColumnNaming.Place) -> PropertyKey? {
        switch place.role {
        case .attribute(let key), .toOne(let key), .unidirectional(let key): key
        default: nil
        }
    }

    private mutating func joinTable(of pair: JoinTableNaming.Pair, naming: JoinTableNaming) -> JoinTable? {
        let names = [naming.tableName(of: pair.first), naming.tableName(of: pair.second)]
        let description = "\(model.entities[pair.first.owner].name).\(pair.first.name)"
        guard let index = names.firstIndex(where: { schema.table(named: $0) != nil }),
            let table = schema.table(named: names[index])
        else {
            problems.append(
                .missingJoinTable(relationship: description, names: pair.isSelfInverse ? [names[0]] : names))
            return nil
        }
        let (relationship, inverse) = index == 0 ? (pair.first, pair.second) : (pair.second, pair.first)
        var free = table.columns.map(\.name).filter { !$0.hasPrefix("Z_FOK_") }
        var owner = Self.take(naming.columnName(ofElementsOf: inverse), inverse, from: &free)
        var destination =
            pair.isSelfInverse
            ? free.first { $0 == JoinTableNaming.reflexiveColumn }
            : Self.take(naming.columnName(ofElementsOf: relationship), relationship, from: &free)
        // An order key is named after the column of the elements' keys.
        if pair.isSelfInverse, let named = owner, table.hasColumn(JoinTableNaming.orderColumn(for: named)) {
            swap(&owner, &destination)
        }
        guard let owner, let destination else {
            problems.append(.missingJoinColumns(table: table.name, relationship: description))
            return nil
        }
        func orderColumn(_ relationship: ResolvedRelationship, _ column: String) -> String? {
            let name = JoinTableNaming.orderColumn(for: column)
            return relationship.isOrdered && table.hasColumn(name) ? name : nil
        }
        return JoinTable(
            name: table.name, relationship: relationship.key, inverse: inverse.key, ownerColumn: owner,
            destinationColumn: destination, orderColumn: orderColumn(relationship, destination),
            inverseOrderColumn: pair.isSelfInverse ? nil : orderColumn(inverse, owner))
    }

    /// Returns the predicted column, the same with a number appended, or the same with another entity's number.
    private static func take(
        _ predicted: String, _ relationship: ResolvedRelationship, from free: inout [String]
    ) -> String? {
        let name = relationship.name.uppercased()
        func isNumbered(_ column: String) -> Bool {
            column.hasPrefix(predicted) && column.dropFirst(predicted.count).allSatisfy(\.isNumber)
        }
        func isRenumbered(_ column: String) -> Bool {
            guard column.hasPrefix("Z_") else { return false }
            let rest = column.dropFirst(2).drop(while: \.isNumber)
            return rest.hasPrefix(name) && rest.dropFirst(name.count).allSatisfy(\.isNumber)
        }
        for accepts in [{ $0 == predicted }, isNumbered, isRenumbered] {
            let candidates = free.filter(accepts).sorted { ($0.count, $0) < ($1.count, $1) }
            if let first = candidates.first {
                free.removeAll { $0 == first }
                return first
            }
        }
        return nil
    }
}

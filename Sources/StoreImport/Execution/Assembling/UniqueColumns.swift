import ImportMappings
import PersistentStores
import SQLiteAccess
import StoreAssembly

/// The uniqueness constraints of a table that are not the key of its objects, and the values that are compared for
/// them.
///
/// The columns of a constraint are compared as one value if each record has all of them. Otherwise, each column is a
/// slot of its own, because the values of an object come from several records.
struct UniqueColumns {
    /// The columns of each slot.
    private(set) var slots: [[String]] = []
    /// The slots of each constraint.
    private(set) var constraints: [[Int]] = []

    /// The origin of a column's value in objects that one mapping creates.
    enum Origin {
        /// The position of an attribute.
        case attribute(Int)
        /// The bytes of the default in the form of `KeyBytes`.
        case constant([UInt8])
        case null

        /// Appends the value of an object of a record.
        ///
        /// - Returns: whether the record has the value, and whether it is not NULL.
        @inline(__always)
        func append(
            of instance: Int, _ current: ObjectInstances, in arena: [UInt8], to bytes: inout [UInt8]
        ) -> (isSaid: Bool, hasValue: Bool) {
            switch self {
            case .attribute(let position):
                return (
                    current.isPresent(instance, position),
                    KeyBytes.append(current.cell(instance, position), in: arena, to: &bytes)
                )
            case .constant(let constant):
                bytes += constant
                return (false, true)
            case .null: return (false, false)
            }
        }

        /// Appends the value of an object that is created because a record refers to it by a key; nothing for NULL.
        func append(of key: ReferenceKey, to bytes: inout [UInt8]) {
            switch self {
            case .attribute(let part): _ = KeyBytes.append(key.values[part], to: &bytes)
            case .constant(let constant): bytes += constant
            case .null: break
            }
        }
    }

    /// The value of one slot.
    struct Value {
        let slot: Int
        /// The origins of the columns that are not those of relationships.
        let columns: [Origin]
        /// Whether destinations of to-one relationships are part of the value.
        let hasLinks: Bool
    }

    /// The columns of to-one relationships.
    let linkColumns: Set<String>
    /// Those of them whose links lists set. Each is a slot of its own.
    let listedColumns: Set<String>
    /// Whether lists set links that are part of the values.
    var hasLists: Bool { slots.contains { !listedColumns.isDisjoint(with: $0) } }

    /// - Parameters:
    ///   - indexes: the indexes of the constraints.
    ///   - own: the mappings of the table's objects, each with its source.
    ///   - makers: the resolvers that create objects of the table because records refer to them.
    ///   - linkColumns: the columns of to-one relationships.
    ///   - listedColumns: those of them whose links lists set.
    @_optimize(size)
    init(
        _ indexes: [StoreIndex], own: [(source: CompiledSource, object: CompiledObject)], makers: [ReferenceResolver],
        linkColumns: Set<String>, listedColumns: Set<String>
    ) {
        self.linkColumns = linkColumns
        self.listedColumns = listedColumns
        for index in indexes {
            let names = index.columnNames
            if names.count > 1, slots.count < UniqueValues.mostSlots / 2, listedColumns.isDisjoint(with: names),
                own.allSatisfy({ Self.saysAll(names, $0.source, $0.object, own.map(\.object), makers) })
            {
                slots.append(names)
                constraints.append([slots.count - 1])
                continue
            }
            constraints.append(
                names.map { name in
                    if let known = slots.firstIndex(of: [name]) { return known }
                    slots.append([name])
                    return slots.count - 1
                })
        }
    }

    /// Returns whether each record of a mapping that changes an object has the values of all columns.
    private static func saysAll(
        _ columns: [String], _ source: CompiledSource, _ object: CompiledObject, _ own: [CompiledObject],
        _ makers: [ReferenceResolver]
    ) -> Bool {
        let mapped = Set(object.attributes.map(\.column) + object.toOnes.compactMap(\.column))
        if !object.hasKey || object.onMatch == .skip || mapped.isDisjoint(with: columns) { return true }
        guard object.onMatch != .fill, !source.mayLackFields,
            object.toOnes.allSatisfy({ $0.isKeyed || !columns.contains($0.column ?? "") })
        else { return false }
        // A column that no record has is the same in all objects if all new objects have the same default.
        return columns.allSatisfy { column in
            mapped.contains(column)
                || own.allSatisfy { other in
                    !other.attributes.contains { $0.column == column }
                        && !other.toOnes.contains { $0.column == column }
                        && constant(column, other.defaults) == constant(column, object.defaults)
                }
                    && makers.allSatisfy { maker in
                        !maker.key.ownColumns.contains(column)
                            && constant(column, maker.defaults) == constant(column, object.defaults)
                    }
        }
    }

    /// Returns the bytes of a default; empty for NULL.
    private static func constant(
        _ column: String, _ defaults: [(column: String, value: ConvertedDefault)]
    ) -> [UInt8] {
        var bytes: [UInt8] = []
        if let found = defaults.first(where: { $0.column == column }) { KeyBytes.append(found.value, to: &bytes) }
        return bytes
    }

    /// Returns the origins of the values of some columns.
    ///
    /// - Parameters:
    ///   - names: the columns.
    ///   - columns: the columns that records have, or those of the key of an object that is created.
    ///   - defaults: the defaults of new objects.
    @_optimize(size)
    static func origins(
        of names: [String], _ columns: [String], _ defaults: [(column: String, value: ConvertedDefault)]
    ) -> [Origin] {
        names.map { name in
            if let position = columns.firstIndex(of: name) { return .attribute(position) }
            let bytes = constant(name, defaults)
            return bytes.isEmpty ? .null : .constant(bytes)
        }
    }

    /// Returns the values of the records of a mapping, or of objects that only have a key. Slots in which no object can
    /// have a value are left out.
    ///
    /// - Parameters:
    ///   - columns: the columns that records have, or those of the key.
    ///   - toOnes: the columns of relationships that records have.
    ///   - defaults: the defaults of new objects.
    @_optimize(size)
    func values(
        _ columns: [String], toOnes: [String] = [], _ defaults: [(column: String, value: ConvertedDefault)]
    ) -> [Value] {
        slots.enumerated().compactMap { slot, names in
            let links = names.filter(linkColumns.contains)
            // The links of such slots are not compared row by row.
            guard Set(links).isSubset(of: toOnes), listedColumns.isDisjoint(with: names) else { return nil }
            let origins = Self.origins(of: names.filter { !links.contains($0) }, columns, defaults)
            let hasNull = origins.contains { if case .null = $0 { true } else { false } }
            return hasNull ? nil : Value(slot: slot, columns: origins, hasLinks: !links.isEmpty)
        }
    }
}

extension [CompiledObject] {
    /// Returns the columns of to-one relationships of a table's objects whose links are set by lists.
    @_optimize(size)
    func listedColumns(of table: EntityTable, _ layout: StoreLayout) -> Set<String> {
        Set(
            flatMap(\.toManys).compactMap { list in
                guard let place = LinkPlace(list.relationship, layout: layout), place.kind == .foreignKey,
                    SQLiteIdentifier.unquoted(place.table) == table.name
                else { return nil }
                return SQLiteIdentifier.unquoted(place.owner)
            })
    }
}

extension EntityTable {
    /// The names of the columns of to-one relationships.
    var linkColumns: Set<String> {
        Set(columns.compactMap { if case .toOne = $0.role { $0.name } else { nil } })
    }
}

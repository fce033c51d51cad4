import ImportMappings
import ManagedObjectModels
import PersistentStores
import RecordSources
import SQLiteAccess
import SQLiteFileBuilder
import StoreAssembly

/// Uniqueness constraints in a store that is assembled, other than those that are the key of an entity.
extension AssemblyConditions {
    /// Returns, by the root of a table of a new store, the uniqueness constraints that do not identify its objects by
    /// themselves: they are not the key of the objects, or the objects are of several entities, each of which has its
    /// own keys. Constraints with one-to-one relationships are left out: no two objects have the same destination.
    @_optimize(size)
    static func otherConstraints(_ session: ImportSession) -> [Int: [StoreIndex]] {
        let (objects, layout) = (session.entities.map(\.object), session.layout)
        let makers = session.sources.map(\.compiled).makers(session.resolvers)
        var found: [Int: [StoreIndex]] = [:]
        for index in session.indexes.knowledge.deferred where index.isUnique {
            guard let root = layout.tables.first(where: { $0.name == index.table })?.root else { continue }
            let own = objects.filter { $0.table.root == root }
            let made = makers.filter { $0.entityTable.root == root }
            let names = index.columnNames.sorted()
            let oneToOnes = layout.oneToOneColumns(of: root)
            let isKey =
                Set(own.map(\.slot) + made.map(\.slot)).count == 1
                && own.allSatisfy { $0.keyColumns.sorted() == names }
                && made.allSatisfy { $0.key.ownColumns.sorted() == names }
            if !own.isEmpty || !made.isEmpty, !isKey, !oneToOnes.contains(where: names.contains) {
                found[root, default: []].append(index)
            }
        }
        return found
    }

    /// Returns whether an object that is created because a record refers to it may have a value that must be unique.
    func makesUnique(_ target: CompiledKeyTarget) -> Bool {
        guard target.makesMissing else { return false }
        let resolver = resolvers[target.resolver]
        // A list may give such an object an owner.
        let values = Set(resolver.key.ownColumns + resolver.defaults.map(\.column))
            .union(entities.map(\.object).listedColumns(of: resolver.entityTable, layout))
        return otherConstraints[resolver.entityTable.root]?.contains { !values.isDisjoint(with: $0.columnNames) }
            ?? false
    }

    /// Returns whether an object that a mapping creates or changes may have a value that must be unique.
    func mayBeRefused(_ object: CompiledObject) -> Bool {
        let values = Set(
            object.attributes.map(\.column) + object.defaults.map(\.column) + object.toOnes.compactMap(\.column)
        )
        .union(entities.map(\.object).listedColumns(of: object.table, layout))
        return otherConstraints[object.table.root]?.contains { !values.isDisjoint(with: $0.columnNames) } ?? false
    }

    /// Returns whether the links of a list may be part of unique values.
    func mayBeRefused(_ list: CompiledRelationship) -> Bool {
        let root = layout.model.entities[list.relationship.destination].root
        guard let constraints = otherConstraints[root], let place = LinkPlace(list.relationship, layout: layout),
            place.kind == .foreignKey
        else { return false }
        return constraints.contains { $0.columnNames.contains(SQLiteIdentifier.unquoted(place.owner)) }
    }
}

extension StoreLayout {
    /// Returns the columns of one-to-one relationships in the table of an entity and its subentities.
    @_optimize(size)
    fileprivate func oneToOneColumns(of root: Int) -> [String] {
        model.entities.filter { $0.root == root }.flatMap(\.relationships).compactMap { relationship in
            InverseWriter.isOneToOne(relationship, layout: self) ? column(.toOne(relationship.key))?.name : nil
        }
    }
}

extension [CompiledSource] {
    /// Returns the resolvers that create objects because records refer to them.
    func makers(_ resolvers: [ReferenceResolver]) -> [ReferenceResolver] {
        let targets = flatMap(\.objects).flatMap { $0.toOnes + $0.toManys }.compactMap { relationship -> Int? in
            if case .key(let target) = relationship.target, target.makesMissing { target.resolver } else { nil }
        }
        return Set(targets).sorted().map { resolvers[$0] }
    }
}

extension CompiledSource {
    /// Whether an object that is created because a record refers to it may have the same unique value as another
    /// object.
    var createsUniqueObjects: Bool {
        objects.flatMap { $0.toOnes + $0.toManys }.contains { relationship in
            if case .key(let target) = relationship.target { target.clash == .others } else { false }
        }
    }
}

extension CompiledObject {
    /// The positions of the attributes with some columns; nil if the mapping does not have them all.
    func attributes(ofColumns columns: [String]) -> [Int]? {
        let found = columns.compactMap { name in attributes.firstIndex { $0.column == name } }
        return found.count == columns.count ? found : nil
    }
}

extension StoreIndex {
    var columnNames: [String] { columns.map(\.name) }

    /// SQLite's message about a row that violates the constraint.
    var violation: String {
        "UNIQUE constraint failed: " + columnNames.map { "\(table).\($0)" }.joined(separator: ", ")
    }
}

import ImportMappings
import ManagedObjectModels
import PersistentStores
import RecordSources
import SQLiteFileBuilder
import StoreAssembly

/// Uniqueness constraints in a store that is assembled, beside those that are the key of an entity.
extension AssemblyConditions {
    /// By the root of a table of a new store, the uniqueness constraints that do not tell its objects apart by themselves:
    /// they are not the key of the objects, or these are of several entities, each told apart from those of its own.
    static func otherConstraints(
        _ entities: [EntityImport], _ indexes: IndexKeeper, _ layout: StoreLayout
    ) -> [Int: [StoreIndex]] {
        let objects = entities.map(\.object)
        var found: [Int: [StoreIndex]] = [:]
        for index in indexes.knowledge.deferred where index.isUnique {
            guard let root = layout.tables.first(where: { $0.name == index.table })?.root else { continue }
            let own = objects.filter { $0.table.root == root }
            let names = index.columnNames.sorted()
            let isKey = Set(own.map(\.slot)).count == 1 && own.allSatisfy { $0.keyColumns.sorted() == names }
            if !own.isEmpty, !isKey { found[root, default: []].append(index) }
        }
        return found
    }

    /// Why SQLite has to see to it that values are unique.
    @_optimize(size)
    func reasonsOfConstraints() -> [String] {
        var reasons: [String] = []
        for (root, constraints) in otherConstraints {
            let name = layout.model.entities[root].name
            let own = sources.flatMap { source in
                source.compiled.objects.filter { $0.table.root == root }.map { (source.compiled, $0) }
            }
            for index in constraints {
                let columns = Set(index.columnNames)
                let areSaid = own.allSatisfy { _, object in
                    columns.isDisjoint(with: object.toOnes.compactMap(\.column))
                        && columns.isDisjoint(with: object.defaults.map(\.column))
                        && columns.isDisjoint(
                            with: object.attributes.filter { $0.isExternal || $0.fileNaming != nil }.map(\.column))
                }
                if index.condition != nil || !areSaid {
                    reasons.append("a uniqueness constraint of \(name) has values that records do not say")
                }
                // What one record says of several attributes, and what another one, must not have to be put together.
                let areWhole = own.allSatisfy { source, object in
                    !object.hasKey || object.onMatch == .skip
                        || columns.isDisjoint(with: object.attributes.map(\.column))
                        || object.onMatch == .update && !source.mayLackFields && object.says(index)
                }
                if columns.count > 1, !areWhole {
                    reasons.append("records of \(name) may say some attributes of a uniqueness constraint only")
                }
            }
            // What earlier files have is known when the record comes, before anything is unique.
            let needEarlier = sources.contains { source in
                let (objects, lastFile) = (source.compiled.objects, scope.files.lastIndex(of: source.index) ?? 0)
                return objects.contains { $0.table.root == root }
                    && objects.flatMap(\.keyTargets).contains { relationship, target in
                        relationship.isNeeded(target) && scope.lastFiles[target.slot].map { $0 < lastFile } ?? false
                    }
            }
            if needEarlier {
                reasons.append("objects of \(name) have unique values, and need others that earlier files have")
            }
            if constraints.count > AssembledTable.mostConstraints {
                reasons.append("\(name) has more than \(AssembledTable.mostConstraints) uniqueness constraints")
            }
        }
        return reasons + reasonsOfNamedConstraints()
    }

    /// Objects that are made because records name them have the key and the model's defaults: these may have to be unique,
    /// too.
    @_optimize(size)
    private func reasonsOfNamedConstraints() -> [String] {
        var reasons: Set<String> = []
        for target in entities.flatMap(\.relationships).map(\.compiled.target) {
            guard case .key(let target) = target, target.makesMissing else { continue }
            let resolver = resolvers[target.resolver]
            let key = resolver.key.ownColumns.sorted()
            let values = Set(key + resolver.defaults.map(\.column))
            for index in indexes.knowledge.deferred
            where index.isUnique && index.table == resolver.entityTable.name && index.columnNames.sorted() != key {
                guard !values.isDisjoint(with: index.columnNames) else { continue }
                let name = layout.model.entities[resolver.entityTable.root].name
                reasons.insert("objects of \(name) that are made where they are not there have unique values")
            }
        }
        return reasons.sorted()
    }
}

extension CompiledObject {
    /// The positions of the attributes that a uniqueness constraint is of; nil if the mapping does not have them all.
    func attributes(of index: StoreIndex) -> [Int]? {
        attributes(ofColumns: index.columnNames)
    }

    /// The positions of the attributes with some columns; nil if the mapping does not have them all.
    func attributes(ofColumns columns: [String]) -> [Int]? {
        let found = columns.compactMap { name in attributes.firstIndex { $0.column == name } }
        return found.count == columns.count ? found : nil
    }

    /// Whether records may say what must be unique.
    func says(_ index: StoreIndex) -> Bool { attributes(of: index) != nil }
}

extension StoreIndex {
    var columnNames: [String] { columns.map(\.name) }

    /// What SQLite says of a row that has what another one has.
    var violation: String {
        "UNIQUE constraint failed: " + columnNames.map { "\(table).\($0)" }.joined(separator: ", ")
    }
}

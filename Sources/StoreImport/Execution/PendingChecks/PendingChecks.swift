import ImportMappings
import ManagedObjectModels
import ObjectValidation
import PersistentStores
import SQLiteAccess

/// What the records of an import must still prove when all are read, as far as the model and the mapping tell.
final class PendingChecks {
    /// By source, whether one of its records may have to be taken back later.
    private(set) var mayOpen: [Bool] = []
    /// By source, object and relationship, whether changes of the relationship may break a rule.
    private(set) var isRuled: [[[Bool]]] = []
    /// By source, object and relationship, whether a uniqueness constraint has the column of its links.
    private(set) var isUnique: [[[Bool]]] = []
    /// By source, object and relationship, whether it creates objects that must lead to others.
    private(set) var makesNeedy: [[[Bool]]] = []
    private var checks: [Int: [CountCheck]] = [:]
    private let connection: Connection
    private let layout: StoreLayout
    private let indexes: IndexKeeper

    /// - Parameter lastFiles: by entity, the last file that makes objects of it.
    init(
        _ compiled: CompiledImport, lastFiles: [Int: Int], connection: Connection, layout: StoreLayout,
        indexes: IndexKeeper
    ) throws {
        self.indexes = indexes
        self.connection = connection
        self.layout = layout
        var firstFiles: [Int: Int] = [:]
        for (file, source) in compiled.files.enumerated() where firstFiles[source] == nil { firstFiles[source] = file }
        for (index, source) in compiled.sources.enumerated() {
            // What earlier files name is there, or is nowhere.
            func mayCome(_ slot: Int) -> Bool { lastFiles[slot] ?? -1 >= firstFiles[index] ?? 0 }
            var isOpen = false
            var (ruled, unique, needy): ([[Bool]], [[Bool]], [[Bool]]) = ([], [], [])
            for object in source.objects {
                let relationships = object.toOnes + object.toManys
                let rules = relationships.map { Self.hasRule($0.relationship, layout) }
                ruled.append(rules)
                let constrained = try relationships.map { try Self.isUnique($0.relationship, layout, indexes) }
                unique.append(constrained)
                needy.append(
                    relationships.map { relationship in
                        guard case .key(let target) = relationship.target, target.makesMissing else { return false }
                        return layout.model.entities[target.slot].relationships.contains {
                            CountRule($0)?.minimum ?? 0 > 0
                        }
                    })
                let mapped = Set(object.toOnes.map(\.relationship.key))
                let unproven = layout.model.entities[object.slot].relationships.contains {
                    CountRule($0) != nil && !mapped.contains($0.key)
                }
                isOpen =
                    isOpen || unproven
                    || relationships.indices.contains { position in
                        guard case .key(let target) = relationships[position].target else { return rules[position] }
                        let isRequired = target.missing == .required || !relationships[position].relationship.isOptional
                        // A required to-one that is there at once is proven.
                        let isProven =
                            position < object.toOnes.count
                            && !Self.isInverseRuled(relationships[position].relationship, layout)
                        let makes =
                            target.missing == .create
                            && layout.model.entities[target.slot].relationships.contains { CountRule($0) != nil }
                        // Lists are followed when all records are read.
                        let isKnownLater = mayCome(target.slot) || position >= object.toOnes.count
                        let isUnmakeable = target.missing == .create && target.unfilled != nil
                        let isDemanding =
                            target.missing == .required && isKnownLater
                            || (isRequired || isUnmakeable) && mayCome(target.slot)
                        return isDemanding || constrained[position] && isKnownLater || makes || target.clash != .none
                            || (rules[position] && !isProven)
                    }
            }
            mayOpen.append(isOpen)
            isRuled.append(ruled)
            isUnique.append(unique)
            makesNeedy.append(needy)
        }
    }

    /// Whether the model has a rule for the number of a relationship's objects, or its inverse's.
    private static func hasRule(_ relationship: ResolvedRelationship, _ layout: StoreLayout) -> Bool {
        CountRule(relationship) != nil || isInverseRuled(relationship, layout)
    }

    /// Whether the model says to how many objects a to-many relationship leads, or its inverse: of too many links the
    /// first ones stay, so that it matters which record is the first to say one.
    static func isLimited(_ relationship: ResolvedRelationship, _ layout: StoreLayout) -> Bool {
        if relationship.isToMany, CountRule(relationship) != nil { return true }
        return relationship.inverse?.isToMany == true && isInverseRuled(relationship, layout)
    }

    /// Whether a uniqueness constraint has the column of a relationship's links.
    private static func isUnique(
        _ relationship: ResolvedRelationship, _ layout: StoreLayout, _ indexes: IndexKeeper
    ) throws(SQLiteError) -> Bool {
        guard let place = LinkPlace(relationship, layout: layout), place.kind != .joinTable else { return false }
        let column = place.kind == .toOne ? place.destination : place.owner
        return try indexes.uniqueColumns(of: SQLiteIdentifier.unquoted(place.table)).contains { $0.contains(column) }
    }

    static func isInverseRuled(_ relationship: ResolvedRelationship, _ layout: StoreLayout) -> Bool {
        layout.model.inverse(of: relationship).flatMap(CountRule.init) != nil
    }

    /// The rules for objects of an entity.
    func checks(of slot: Int) throws(SQLiteError) -> [CountCheck] {
        if let known = checks[slot] { return known }
        var made: [CountCheck] = []
        for relationship in layout.model.entities[slot].relationships {
            guard let check = try CountCheck(relationship, connection: connection, layout: layout) else { continue }
            if let (table, column) = check.indexedColumn { try indexes.require([column], of: table) }
            made.append(check)
        }
        checks[slot] = made
        return made
    }

    /// Whether an object must lead to others.
    func needsOthers(_ object: AffectedObject) throws(SQLiteError) -> Bool {
        guard let slot = layout.slot(ofEntityNumber: Int(object.entity)) else { return false }
        return try checks(of: slot).contains { $0.rule.minimum > 0 }
    }

    /// Whether an object breaks a rule.
    func hasFault(_ object: AffectedObject) throws(SQLiteError) -> Bool {
        guard let slot = layout.slot(ofEntityNumber: Int(object.entity)) else { return false }
        for check in try checks(of: slot) {
            if try check.fault(of: object.primaryKey) != nil { return true }
        }
        return false
    }
}

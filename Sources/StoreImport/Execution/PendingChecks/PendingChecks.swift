import ImportMappings
import ManagedObjectModels
import ObjectValidation
import PersistentStores
import SQLiteAccess

/// The conditions that records of an import may fulfill only when all records are read, as far as the model and the
/// mappings determine them.
final class PendingChecks {
    /// By source, whether one of its records may have to be revoked later.
    private(set) var mayOpen: [Bool] = []
    /// By source, object mapping and relationship, whether changes of the relationship may break a rule for the number
    /// of its links.
    private(set) var isRuled: [[[Bool]]] = []
    /// By source, object mapping and relationship, whether a uniqueness constraint contains the column of the links.
    private(set) var isUnique: [[[Bool]]] = []
    /// By source, object mapping and relationship, whether the relationship creates objects that require links to
    /// others.
    private(set) var makesNeedy: [[[Bool]]] = []
    private var checks: [Int: [CountCheck]] = [:]
    private let connection: Connection
    private let layout: StoreLayout
    private let indexes: IndexKeeper

    /// - Parameters:
    ///   - compiled: the mappings of the import.
    ///   - lastFiles: by entity, the index of the last file that creates objects of it.
    ///   - connection: the connection to the store.
    ///   - layout: the layout of the store.
    ///   - indexes: the keeper of the store's indexes.
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
            // Objects that only earlier files create already exist, or never will.
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
                        // A required to-one relationship whose destination already exists is proven.
                        let isProven =
                            position < object.toOnes.count
                            && !Self.isInverseRuled(relationships[position].relationship, layout)
                        let makes =
                            target.missing == .create
                            && layout.model.entities[target.slot].relationships.contains { CountRule($0) != nil }
                        // Links of lists are written when all records are read.
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

    /// Returns whether the model limits the number of objects in a relationship or in its inverse.
    private static func hasRule(_ relationship: ResolvedRelationship, _ layout: StoreLayout) -> Bool {
        CountRule(relationship) != nil || isInverseRuled(relationship, layout)
    }

    /// Returns whether the model limits the number of objects in a to-many relationship, or in the to-many inverse of a
    /// relationship. If there are too many links, the first ones stay, so that it matters which record names a link
    /// first.
    static func isLimited(_ relationship: ResolvedRelationship, _ layout: StoreLayout) -> Bool {
        if relationship.isToMany, CountRule(relationship) != nil { return true }
        return relationship.inverse?.isToMany == true && isInverseRuled(relationship, layout)
    }

    /// Returns whether a uniqueness constraint contains the column of a relationship's links.
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

    /// Returns the checks for objects of an entity.
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

    /// Returns whether an object requires links to others.
    func needsOthers(_ object: AffectedObject) throws(SQLiteError) -> Bool {
        guard let slot = layout.slot(ofEntityNumber: Int(object.entity)) else { return false }
        return try checks(of: slot).contains { $0.rule.minimum > 0 }
    }

    /// Returns whether an object breaks a rule.
    func hasFault(_ object: AffectedObject) throws(SQLiteError) -> Bool {
        guard let slot = layout.slot(ofEntityNumber: Int(object.entity)) else { return false }
        for check in try checks(of: slot) {
            if try check.fault(of: object.primaryKey) != nil { return true }
        }
        return false
    }
}

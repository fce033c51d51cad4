import ImportMappings
import ManagedObjectModels
import ObjectValidation
import PersistentStores
import SQLiteAccess
import SQLiteFileBuilder
import StoreAssembly

/// Which imports into a new store are assembled. All others are written by SQLite.
struct AssemblyConditions {
    let layout: StoreLayout
    let options: ImportOptions
    let indexes: IndexKeeper
    let sources: [SourceImport]
    let entities: [EntityImport]
    let resolvers: [ReferenceResolver]
    let scope: ImportScope
    /// What records name by key.
    let namedTargets: [ImportSession.NamedTarget]
    /// By the root of a table of a new store, the uniqueness constraints that do not tell its objects apart by themselves.
    let otherConstraints: [Int: [StoreIndex]]
    /// Whether records that are skipped because their object is missing may be written to files of rejected ones.
    let keepsSkipped: Bool
    /// Whether records may be written to files because rejected ones would end their links.
    let keepsNamers: Bool
    /// What has to be counted of a new store when all objects are there.
    private(set) var countedRelationships: [CountedRelationship] = []
    /// The look-ups whose keys records may change, or that create objects which have other keys.
    private(set) var changingResolvers: Set<Int> = []
    /// The roots of the tables whose objects mappings find by several keys.
    private(set) var rootsOfSeveralKeys: Set<Int> = []

    /// - Parameter session: whose mappings are prepared.
    init(_ session: ImportSession) {
        layout = session.layout
        options = session.options
        indexes = session.indexes
        sources = session.sources
        entities = session.entities
        resolvers = session.resolvers
        scope = session.scope
        namedTargets = session.namedTargets
        otherConstraints = session.otherConstraints
        keepsSkipped = session.rejectedKeys != nil
        keepsNamers = session.refusedObjects != nil
        countedRelationships = findCountedRelationships()
        rootsOfSeveralKeys = findRootsOfSeveralKeys()
        changingResolvers = findChangingResolvers()
    }

    /// Why SQLite has to write the store; empty where it can be assembled.
    @_optimize(size)
    func reasonsNotToAssemble() -> [String] {
        reasonsOfLists() + reasonsOfPolicies() + reasonsOfKeys(entities.map(\.object)) + reasonsOfRequirements()
    }

    /// The rule that the objects in a list of parts of the record must have an owner, and the fault of one that has none;
    /// nil if they need none.
    func demand(of list: CompiledRelationship) -> (rule: CountRule, fault: ValidationFault)? {
        guard !list.isKeyed, list.relationship.isToMany,
            let relationship = layout.model.inverse(of: list.relationship),
            !relationship.isToMany, let rule = CountRule(relationship), let fault = rule.fault(0)
        else { return nil }
        return (rule, fault)
    }

    /// Whether a list may be ended whose objects cannot be without an owner. Where several mappings say the owners, they are
    /// counted when all records are read.
    func mayLackOwners(_ list: CompiledRelationship, of object: CompiledObject) -> Bool {
        demand(of: list) != nil && object.listRule(of: list) == .replace
            && !list.isShared(among: entities.map(\.object), in: layout)
    }
}

extension CompiledRelationship {
    /// Whether an object cannot be without the link of a to-one where there is no destination.
    func isNeeded(_ target: CompiledKeyTarget) -> Bool {
        if target.missing == .create { return target.unfilled != nil }
        return target.missing == .required || !relationship.isOptional
    }
}

extension CompiledKeyTarget {
    /// Whether a record is rejected that names an object in a list which is nowhere, and cannot be made.
    var isRequiredInList: Bool { missing == .required || missing == .create && unfilled != nil }
}

extension CompiledObject {
    /// The to-ones whose destinations are found by key.
    var keyTargets: [(relationship: CompiledRelationship, target: CompiledKeyTarget)] {
        toOnes.compactMap { relationship in
            if case .key(let target) = relationship.target { (relationship, target) } else { nil }
        }
    }
}

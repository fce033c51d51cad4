import ImportMappings
import ManagedObjectModels
import ObjectValidation
import PersistentStores
import SQLiteAccess
import SQLiteFileBuilder
import StoreAssembly

/// The conditions under which an import into a new store is assembled: its objects are identified by sorting and
/// merging. Objects of all other imports are looked up in a `WorkingFile`.
struct AssemblyConditions {
    let layout: StoreLayout
    let options: ImportOptions
    let indexes: IndexKeeper
    let sources: [SourceImport]
    let entities: [EntityImport]
    let resolvers: [ReferenceResolver]
    let scope: ImportScope
    /// The objects that records name by key.
    let namedTargets: [ImportSession.NamedTarget]
    /// The uniqueness constraints that do not identify the objects of their table by themselves, by the root of the
    /// table.
    let otherConstraints: [Int: [StoreIndex]]
    /// Whether records that are skipped because their object does not exist may be written to files of rejected
    /// records.
    let keepsSkipped: Bool
    /// Whether records may be written to files because rejected records would remove their links.
    let keepsNamers: Bool
    /// The relationships whose links must be counted after all objects have been added.
    private(set) var countedRelationships: [CountedRelationship] = []
    /// The look-ups whose keys records may change, or that create objects with other keys.
    private(set) var changingResolvers: Set<Int> = []
    /// The roots of the tables whose objects mappings find by several keys, or whose objects are created by references
    /// with other keys than those by which they are found.
    private(set) var rootsOfSeveralKeys: Set<Int> = []

    /// Determines the conditions for an import.
    ///
    /// - Parameter session: the session of the import, whose mappings are prepared.
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
        // What is created is found by all keys of the table then.
        rootsOfSeveralKeys.formUnion(findRootsOfOtherCreations())
        var count = -1
        while count != rootsOfSeveralKeys.count {
            count = rootsOfSeveralKeys.count
            changingResolvers = findChangingResolvers()
            rootsOfSeveralKeys.formUnion(findRootsOfSameRecords())
        }
    }

    /// Returns the reasons why objects must be looked up; empty if the store can be assembled.
    @_optimize(size)
    func reasonsToLookUp() -> [String] {
        reasonsOfLists() + reasonsOfPolicies() + reasonsOfKeys(entities.map(\.object)) + reasonsOfRequirements()
    }

    /// Returns the rule by which the objects in a list of parts of the record require an owner, and the fault of an
    /// object without one; nil if they do not require an owner.
    func demand(of list: CompiledRelationship) -> (rule: CountRule, fault: ValidationFault)? {
        guard !list.isKeyed, list.relationship.isToMany,
            let relationship = layout.model.inverse(of: list.relationship),
            !relationship.isToMany, let rule = CountRule(relationship), let fault = rule.fault(0)
        else { return nil }
        return (rule, fault)
    }

    /// Returns whether a later list may remove objects that require an owner from a list. If several mappings set the
    /// owners, the links are counted after all records have been read instead.
    func mayLackOwners(_ list: CompiledRelationship, of object: CompiledObject) -> Bool {
        demand(of: list) != nil && object.listRule(of: list) == .replace
            && !list.isShared(among: entities.map(\.object), in: layout)
    }
}

extension CompiledRelationship {
    /// Returns whether a new object is invalid if the destination of its to-one relationship does not exist and is not
    /// created.
    func isNeeded(_ target: CompiledKeyTarget) -> Bool {
        if target.missing == .create { return target.unfilled != nil }
        return target.missing == .required || !relationship.isOptional
    }
}

extension CompiledKeyTarget {
    /// Whether a record is rejected if its list names an object that does not exist and cannot be created.
    var isRequiredInList: Bool { missing == .required || missing == .create && unfilled != nil }
}

extension CompiledObject {
    /// The to-one relationships whose destinations are found by key.
    var keyTargets: [(relationship: CompiledRelationship, target: CompiledKeyTarget)] {
        toOnes.compactMap { relationship in
            if case .key(let target) = relationship.target { (relationship, target) } else { nil }
        }
    }
}

import PersistentStores

/// An object mapping of a source while records are imported: how its objects are found and written, and the objects of
/// the current batch.
final class EntityImport {
    /// The index of the mapping in its source.
    let index: Int
    unowned let source: SourceImport
    let object: CompiledObject
    /// The relationships, with the to-one relationships first.
    let relationships: [RelationshipImport]
    /// The objects of the current batch.
    var instances = ObjectInstances(attributeCount: 0, toOneCount: 0)
    let writer: MappedObjectWriter
    /// The mapped columns outside the key whose values must be unique, in quotes; empty if no record can be revoked.
    var uniqueColumns: Set<String> = []
    /// The keys of the objects, if all objects come from this mapping and no key is repeated; nil if keys are looked
    /// up.
    var keyHistory: KeyHistory?
    /// The objects' table, if it gets very many new objects; otherwise nil.
    var largeLoad: LargeLoad?
    /// The positions of the objects before the import; nil if SQLite finds all of them.
    var earlier: EarlierObjects?
    /// The owner by which objects without a key are found; nil if they are not found.
    var partOwner: PartOwner?

    init(
        _ index: Int, of source: SourceImport, writer: MappedObjectWriter, _ pending: PendingChecks, layout: StoreLayout
    ) {
        self.index = index
        self.source = source
        self.writer = writer
        object = source.compiled.objects[index]
        relationships = (object.toOnes + object.toManys).enumerated().map { position, relationship in
            let isRuled = pending.isRuled[source.index][index][position]
            return RelationshipImport(
                relationship, isRuled: isRuled,
                isLimited: isRuled && PendingChecks.isLimited(relationship.relationship, layout),
                isUnique: pending.isUnique[source.index][index][position],
                makesNeedy: pending.makesNeedy[source.index][index][position])
        }
    }

    /// Returns another object mapping of the same source.
    func sibling(_ index: Int) -> EntityImport { source.entities[index] }

    /// Returns the object of an instance.
    func target(of instance: Int) -> KeyIndex.Target {
        KeyIndex.Target(primaryKey: instances.primaryKeys[instance], entity: instances.entities[instance])
    }

    /// Temporarily moves the objects of the batch out of the mapping, because values that are passed on would be
    /// copied, reference by reference.
    func takeInstances() -> ObjectInstances {
        var taken = ObjectInstances(attributeCount: 0, toOneCount: 0)
        swap(&taken, &instances)
        return taken
    }
}

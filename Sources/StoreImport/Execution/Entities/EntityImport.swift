import PersistentStores

/// An object mapping of a source while records are imported: how its objects are found and written, and those of the
/// batch.
final class EntityImport {
    /// Which of the source's object mappings.
    let index: Int
    unowned let source: SourceImport
    let object: CompiledObject
    /// To-ones first.
    let relationships: [RelationshipImport]
    /// The objects of the batch.
    var instances = ObjectInstances(attributeCount: 0, toOneCount: 0)
    let writer: MappedObjectWriter
    /// The mapped columns beside the key whose values no other object may have, in quotes; empty if no record can be taken
    /// back.
    var uniqueColumns: Set<String> = []
    /// The keys that the objects have, where all are the mapping's own; nil if they are looked up.
    var keyHistory: KeyHistory?
    /// A table that gets very many new objects.
    var largeLoad: LargeLoad?
    /// Where the objects were before the import; nil if SQLite finds all of them.
    var earlier: EarlierObjects?
    /// How objects without a key are found.
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

    /// Another object mapping of the same records.
    func sibling(_ index: Int) -> EntityImport { source.entities[index] }

    /// The object of an instance of the batch.
    func target(of instance: Int) -> KeyIndex.Target {
        KeyIndex.Target(primaryKey: instances.primaryKeys[instance], entity: instances.entities[instance])
    }

    /// Takes the objects of the batch out meanwhile: what is passed on would be copied, reference by reference.
    func takeInstances() -> ObjectInstances {
        var taken = ObjectInstances(attributeCount: 0, toOneCount: 0)
        swap(&taken, &instances)
        return taken
    }
}

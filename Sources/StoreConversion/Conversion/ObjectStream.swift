import ManagedObjectModels
import PersistentStores

/// The objects of a source in the form for the new store, with entities in the new model's slots and with new keys.
final class ObjectStream {
    private let objects: ObjectQueue
    private let forms: ObjectForms
    private let run: ConversionRun
    private let bases: [Int64]
    private let keys: KeyRenumbering?

    /// For each slot in the old model, the slot in the new model; -1 for entities that are not copied.
    private let slots: [Int]
    /// For each new slot and index of a relationship, the root entity of the destination.
    private let roots: [[Int]]
    private let isRenumbering: Bool

    /// The number of objects that are not copied, by entity.
    private(set) var outside: [String: Int64] = [:]

    /// Opens a source.
    ///
    /// - Parameters:
    ///   - bases: the numbers that are added to keys, by the new slot of the root entity.
    ///   - keys: the new keys, if each object gets its own.
    ///   - isRepeated: whether the findings were reported by an earlier pass.
    convenience init(
        _ source: StoreConverter.Source, to run: ConversionRun, bases: [Int64], keys: KeyRenumbering? = nil,
        isRepeated: Bool = false
    ) throws {
        let found = ConversionFindings()
        let limits = run.options.fixedLimits
        let reader = try source.reader(in: run.options.registry, findings: found, limits: limits)
        self.init(
            ObjectQueue(reader, finding: found, to: isRepeated ? nil : run.findings, limits: limits.objects),
            model: source.model, to: run, bases: bases, keys: keys)
    }

    /// Takes objects from a queue that has not begun.
    init(
        _ objects: ObjectQueue, model: ResolvedModel, to run: ConversionRun, bases: [Int64],
        keys: KeyRenumbering? = nil
    ) {
        self.keys = keys
        self.objects = objects
        self.run = run
        forms = ObjectForms(model)
        let newStore = run.converter.target.newStore
        slots = model.entities.map {
            newStore.holdsObjects(of: $0.name) ? run.targetForms.model.slot(named: $0.name) ?? -1 : -1
        }
        let target = run.targetForms
        roots = target.entities.map { form in
            form.relationships.map { target.entities[$0.destination].root }
        }
        self.bases = bases
        isRenumbering = bases.contains { $0 != 0 }
    }

    /// Calls a closure with each object and its old key; may be called once.
    func forEach(_ body: (borrowing StoredObject, Int64) throws -> Void) throws {
        defer { objects.stop() }
        var object = StoredObject()
        var count = 0
        while try objects.next(&object) {
            count += 1
            if count & 0x3FF == 1 { try run.step(forms.entities[object.slot].name) }
            let slot = slots[object.slot]
            guard slot >= 0 else {
                outside[forms.entities[object.slot].name, default: 0] += 1
                continue
            }
            object.slot = slot
            let key = object.key
            guard key > 0, key <= highestAcceptedKey else {
                let name = run.targetForms.entities[slot].name
                throw ConversionError(.unfitKey(entity: name, key: key), path: run.plan.target)
            }
            if let keys {
                try object.renumber(run.targetForms.entities[slot], roots: roots) { key, root in
                    try keys.newKey(of: key, root: root)
                }
            } else if isRenumbering {
                object.renumber(
                    run.targetForms.entities[slot], adding: bases, above: run.options.keptKeys ?? 0, roots: roots)
            }
            guard object.key <= highestAcceptedKey else {
                let name = run.targetForms.entities[slot].name
                throw ConversionError(.unfitKey(entity: name, key: object.key), path: run.plan.target)
            }
            try body(object, key)
        }
    }
}

import ManagedObjectModels
import PersistentStores

/// The objects of one source as the new store has them: entities by their new place, keys by their new number.
final class ObjectStream {
    private let objects: ObjectQueue
    /// Held only where it is of use: what others have open is closed behind their last object.
    private let keyReader: (any ObjectKeyReader)?
    private let forms: ObjectForms
    private let run: ConversionRun
    private let bases: [Int64]
    private let keys: KeyRenumbering?

    /// The slot in the new model by slot in the old one; -1 for entities that stay behind.
    private let slots: [Int]
    /// By new slot and place of the relationship: the root of the destination.
    private let roots: [[Int]]
    private let isRenumbering: Bool

    /// Objects that stay behind, by entity.
    private(set) var outside: [String: Int64] = [:]

    /// Opens a source.
    ///
    /// - Parameters:
    ///   - bases: what is added to keys, by the new slot of the root entity.
    ///   - keys: the new keys, where each object gets one of its own.
    ///   - isRepeated: whether the findings are told by another reading.
    convenience init(
        _ source: StoreConverter.Source, to run: ConversionRun, bases: [Int64], keys: KeyRenumbering? = nil,
        isRepeated: Bool = false
    ) throws {
        let found = ConversionFindings()
        let limits = run.options.fixedLimits
        let reader = try source.reader(in: run.options.registry, findings: found, limits: limits)
        self.init(
            ObjectQueue(reader, finding: found, to: isRepeated ? nil : run.findings, limits: limits.objects),
            model: source.model, to: run, bases: bases, keys: keys, reader: reader)
    }

    /// Takes objects from a queue that has not begun.
    init(
        _ objects: ObjectQueue, model: ResolvedModel, to run: ConversionRun, bases: [Int64],
        keys: KeyRenumbering? = nil, reader: (any ObjectReader)? = nil
    ) {
        self.keys = keys
        keyReader = reader as? any ObjectKeyReader
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

    /// Passes the key of each object and its hierarchy in the new store, instead of the objects.
    ///
    /// - Returns: false if the keys cannot be had without the objects; what was passed does not count then.
    func forEachKey(_ body: (_ key: Int64, _ root: Int) throws -> Void) throws -> Bool {
        guard let keyReader else { return false }
        defer { objects.stop() }
        var count = 0
        return try keyReader.forEachKey { oldSlot, key in
            count += 1
            if count & 0x3FF == 1 { try run.step(forms.entities[oldSlot].name) }
            if slots[oldSlot] >= 0 { try body(key, run.targetForms.entities[slots[oldSlot]].root) }
        }
    }

    /// Passes each object with the key that it had; once.
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
                try object.renumber(run.targetForms.entities[slot], roots: roots) { key, root throws(StoreError) in
                    try keys.newKey(of: key, root: root)
                }
            } else if isRenumbering {
                object.renumber(
                    run.targetForms.entities[slot], adding: bases, above: run.options.keptKeys ?? 0, roots: roots)
            }
            guard object.key > 0, object.key <= highestAcceptedKey else {
                let name = run.targetForms.entities[slot].name
                throw ConversionError(.unfitKey(entity: name, key: object.key), path: run.plan.target)
            }
            try body(object, key)
        }
    }
}

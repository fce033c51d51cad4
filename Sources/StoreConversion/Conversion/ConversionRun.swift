import ManagedObjectModels
import PersistentStores
import SQLiteAccess
import StoreAssembly

/// A conversion, from the first object to the renaming of the new store.
final class ConversionRun {
    let converter: StoreConverter
    let plan: ConversionPlan
    let findings = ConversionFindings()
    let targetForms: ObjectForms
    private var counts: [Int64]
    private var objectCount: Int64 = 0
    private var idMap: IDMap?

    let options: ConversionOptions

    init(_ converter: StoreConverter, _ plan: ConversionPlan) throws {
        self.converter = converter
        self.plan = plan
        var options = converter.options
        options.pragmas = plan.pragmas
        self.options = options
        targetForms = ObjectForms(converter.target.newStore.layout.model)
        counts = [Int64](repeating: 0, count: targetForms.entities.count)
        for part in plan.parts {
            if part.hasHistory { findings.add(.historyDropped, part.path) }
            for table in part.otherTables { findings.add(.tablesDropped, table) }
        }
        if !plan.keepsKeys { findings.add(.keysChanged, plan.target) }
    }

    func execute() throws {
        let destination = FileSystem.resolvingLinks(plan.target)
        idMap = try options.idMap.map {
            try IDMap(path: $0, replacing: options.replacesIDMap, limits: options.fixedLimits)
        }
        if plan.targetType == .sqlite {
            let store = try fillSQLite(for: destination, isWorking: false)
            options.onCheckpoint?("filled")
            try place(store.staged, at: destination, externals: store.externals)
        } else if plan.isThroughSQLite {
            let working = try fillSQLite(for: destination + ".working", isWorking: true)
            try working.externals.place(like: working.staged.path)
            let store = try SQLiteStore(path: working.staged.path)
            let found = ConversionFindings()
            let reader = try SQLiteObjectReader(
                store, forms: targetForms, findings: found, limits: options.fixedLimits)
            if let key = try reader.sharedKey() { throw ConversionError(.sharedKey(key), path: plan.target) }
            let bases = [Int64](repeating: 0, count: targetForms.entities.count)
            try makeAtomic(
                at: destination, reader, finding: found, model: targetForms.model, bases: bases
            ) { stream, writer in
                try stream.forEach { object, _ in try writer.append(object) }
            }
        } else {
            try convertDirectly(to: destination)
        }
        try idMap?.finish()
        options.onProgress?("done", nil, objectCount)
    }

    func report(seconds: Double) -> ConversionReport {
        ConversionReport(
            sources: plan.parts.map(\.path), result: plan.target, type: plan.targetType.name, uuid: plan.metadata.uuid,
            keepsKeys: plan.keepsKeys, writer: plan.writer,
            entities: targetForms.entities.filter { counts[$0.slot] > 0 }.map {
                ConversionReport.Entity(name: $0.name, objects: counts[$0.slot])
            }, objects: objectCount, findings: findings.all, seconds: seconds, peakMemory: ProcessMemory.peak)
    }

    // MARK: SQLite

    /// - Parameter isWorking: whether the store is only an intermediate store for another type, which has one numbering
    ///   for all objects.
    private func fillSQLite(for destination: String, isWorking: Bool) throws -> NewSQLiteStore {
        // If the builder assigns the new keys, they are only known at the end, which is too late for several stores and
        // for the table of keys.
        let isNumbered = !isWorking && numbersObjects(of: 0) && plan.parts.count == 1 && idMap == nil
        let store = try NewSQLiteStore(
            for: destination, converter.target.newStore, metadata: plan.metadata, forms: targetForms,
            findings: findings, options: options, isWorking: isWorking,
            renumbering: isNumbered ? converter.sources[0].shownPath : nil)
        options.onCheckpoint?("staging file")
        for (index, source) in converter.sources.enumerated() {
            // The objects of a second store follow those of the first.
            var bases =
                index == 0
                ? [Int64](repeating: 0, count: targetForms.entities.count) : store.writer.highestKeys
            if isWorking {
                let last = bases.max() ?? 0
                bases =
                    plan.parts[index].isSQLite
                    ? try self.bases(of: source, following: max(last, Self.lastUnused))
                    : bases.map { _ in last }
            }
            let keys = isWorking ? nil : try newKeys(of: source, index, for: store, following: bases)
            let stream = try ObjectStream(source, to: self, bases: bases, keys: keys)
            try copy(stream, to: store.writer, source: plan.parts[index])
            store.note(source.path, uuid: try source.metadata(in: options.registry).uuid, bases: bases, keys: keys)
            let doubtful = store.writer.relationshipsInDoubt()
            guard !doubtful.isEmpty else { continue }
            // The two directions of these relationships contradict each other, so the lists are needed after all.
            options.onProgress?("completing", nil, objectCount)
            let again = try ObjectStream(source, to: self, bases: bases, keys: keys, isRepeated: true)
            try again.forEach { object, _ in try store.writer.appendLists(of: object, for: doubtful) }
        }
        options.onCheckpoint?("objects written")
        options.onProgress?("completing", nil, objectCount)
        // The reader of an SQLite store has checked for every link whether its object exists, and all objects were
        // copied.
        store.writer.hasProvenLinks =
            plan.parts.allSatisfy { $0.isSQLite && $0.outside.isEmpty }
            && !findings.all.contains { $0.code == .unknownEntityNumber }
        try complete(store)
        try store.close()
        return store
    }

    /// Returns whether each object of a source gets a new key.
    private func numbersObjects(of index: Int) -> Bool { !plan.keepsKeys && !plan.parts[index].isSQLite }

    /// Returns new keys for the objects of a store that has one numbering for all objects, because in apps' own SQLite
    /// stores the keys of each table begin at 1. Returns nil if the objects keep their keys, or if only a number is
    /// added to them.
    private func newKeys(
        of source: StoreConverter.Source, _ index: Int, for store: NewSQLiteStore, following bases: [Int64]
    ) throws -> KeyRenumbering? {
        // The builder assigns the keys after all rows have been added.
        guard numbersObjects(of: index), store.writer.rows.renumbering == nil else { return nil }
        options.onProgress?("numbering", nil, objectCount)
        let keys = KeyRenumbering(
            try store.keyBlocks(), bases: bases, options.fixedLimits.build, beside: store.staged.path,
            path: plan.target)
        let zeros = [Int64](repeating: 0, count: bases.count)
        try ObjectStream(source, to: self, bases: zeros, isRepeated: true).forEach { object, _ in
            try keys.add(object.key, root: targetForms.entities[object.slot].root)
        }
        if let shared = try keys.number() {
            let name = targetForms.entities[shared.root].name
            throw ConversionError(.duplicateKey(entity: name, key: shared.key), path: source.shownPath)
        }
        return keys
    }

    private func complete(_ store: NewSQLiteStore) throws {
        var cache: [UInt8]?
        var handedOut = [Int64](repeating: 0, count: targetForms.entities.count)
        if plan.parts.count == 1, !plan.parts[0].isSQLite {
            guard plan.keepsKeys else { return try store.finish(modelCache: nil, handedOut: handedOut) }
            // With one numbering for all objects, objects that are added later get a key that no other object has.
            let highest = store.writer.highestKeys.max() ?? 0
            handedOut = handedOut.map { _ in highest }
        } else if plan.parts.count == 1 {
            let old = try SQLiteStore(path: plan.parts[0].path)
            cache = try modelCache(of: old)
            for record in old.entityRecords {
                guard let slot = targetForms.model.slot(named: record.name), targetForms.entities[slot].root == slot
                else { continue }
                handedOut[slot] = min(max(0, record.maximumKey), highestAcceptedKey)
            }
        }
        try store.finish(modelCache: cache, handedOut: handedOut)
    }

    /// Returns the archived model in a store, if the new store has the same model.
    private func modelCache(of store: SQLiteStore) throws -> [UInt8]? {
        guard store.schema.table(named: "Z_MODELCACHE") != nil,
            store.metadata.versionHashes == plan.metadata.versionHashes
        else { return nil }
        do throws(SQLiteError) {
            let size = try store.connection.value("SELECT max(length(Z_CONTENT)) FROM Z_MODELCACHE").integer ?? 0
            guard size > 0, size <= 64 << 20 else { return nil }
            return try store.connection.value("SELECT Z_CONTENT FROM Z_MODELCACHE WHERE length(Z_CONTENT) > 0").blob
        } catch {
            throw StoreError(error, path: store.files.shownPath)
        }
    }

    // MARK: Atomic types

    /// The number before the number of the first object (docs/format/xml-store.md#objects).
    private static let lastUnused: Int64 = 101

    private func convertDirectly(to destination: String) throws {
        let source = converter.sources[0]
        let store = try SQLiteStore(path: source.path, shownAs: source.shownPath)
        let found = ConversionFindings()
        let reader = try SQLiteObjectReader(
            store, forms: ObjectForms(source.model), findings: found, limits: options.fixedLimits)
        var bases = [Int64](repeating: 0, count: targetForms.entities.count)
        if options.keepsIDs, let kept = options.keptKeys {
            if let key = try reader.sharedKey(upTo: kept) {
                throw ConversionError(.sharedKey(key), path: source.shownPath)
            }
            bases = try self.bases(of: source, following: 0, above: kept)
        } else if options.keepsIDs {
            if let key = try reader.sharedKey() { throw ConversionError(.sharedKey(key), path: source.shownPath) }
        } else {
            bases = try self.bases(of: source, following: Self.lastUnused)
        }
        try makeAtomic(at: destination, reader, finding: found, model: source.model, bases: bases) { stream, writer in
            try copy(stream, to: writer, source: plan.parts[0])
        }
    }

    /// Returns the numbers that are added to the keys of an SQLite store, so that all objects share one numbering: the
    /// keys of each table follow those of the table before. The index is the new slot of the root entity.
    private func bases(
        of source: StoreConverter.Source, following last: Int64, above kept: Int64 = 0
    ) throws -> [Int64] {
        var bases = [Int64](repeating: 0, count: targetForms.entities.count)
        let reader = try SQLiteObjectReader(
            try SQLiteStore(path: source.path, shownAs: source.shownPath), forms: ObjectForms(source.model),
            findings: ConversionFindings())
        var next = last
        for (root, highest) in try reader.highestKeys().enumerated() where highest > kept {
            let name = source.model.entities[root].name
            guard let slot = targetForms.model.slot(named: name) else { continue }
            bases[slot] = next
            guard highest <= highestAcceptedKey - next else {
                throw ConversionError(.unfitKey(entity: name, key: highest), path: source.shownPath)
            }
            next += highest - kept
        }
        return bases
    }

    private func makeAtomic(
        at destination: String, _ reader: SQLiteObjectReader, finding found: ConversionFindings,
        model: ResolvedModel, bases: [Int64], fill: (ObjectStream, any ObjectWriter) throws -> Void
    ) throws {
        guard let format = options.registry.format(of: plan.targetType) else {
            throw ConversionError(
                .unknownType(plan.targetType.name, known: options.registry.typeNames), path: plan.target)
        }
        let staged = try StagedFile(for: destination, isPrivate: true)
        options.onCheckpoint?("staging file")
        var last = Self.lastUnused
        for (slot, highest) in try reader.highestKeys().enumerated() where highest > 0 {
            guard let new = targetForms.model.slot(named: model.entities[slot].name) else { continue }
            // Nothing is added to a key that is kept.
            let isKept = highest <= options.keptKeys ?? 0
            last = max(last, (isKept ? 0 : bases[new]) + min(highest, highestAcceptedKey))
        }
        let writer = try format.writer(
            to: staged.path, forms: targetForms, metadata: plan.metadata, highestKey: last, findings: findings)
        let objects = ObjectQueue(reader, finding: found, to: findings, limits: options.fixedLimits.objects)
        try fill(ObjectStream(objects, model: model, to: self, bases: bases), writer)
        options.onCheckpoint?("objects written")
        try writer.finish()
        try place(staged, at: destination, externals: nil)
    }

    // MARK: Parts

    private func copy(_ stream: ObjectStream, to writer: any ObjectWriter, source: ConversionPlan.Part) throws {
        try stream.forEach { object, oldKey in
            try writer.append(object)
            counts[object.slot] += 1
            objectCount += 1
            try idMap?.add(source.path, targetForms.entities[object.slot].name, oldKey, object.key)
        }
        for (entity, count) in stream.outside.sorted(by: { $0.key < $1.key }) {
            findings.add(.outsideConfiguration, entity, count: count)
        }
    }

    /// Reports progress; throws an error if the caller requests cancellation.
    func step(_ entity: String) throws(ConversionError) {
        if options.isCancelled?() ?? false { throw ConversionError(.cancelled, path: plan.target) }
        options.onCheckpoint?("converting")
        options.onProgress?("converting", entity, objectCount)
    }

    private func place(_ staged: StagedFile, at destination: String, externals: StagedExternalData?) throws {
        if converter.sources[0].memory == nil { _ = staged.adoptAttributes(of: plan.parts[0].path) }
        options.onProgress?("replacing", nil, objectCount)
        try staged.synchronize()
        options.onCheckpoint?("synchronized")
        try options.onReady?()
        try externals?.place(like: staged.path)
        options.onCheckpoint?("external data")
        if options.isCancelled?() ?? false { throw ConversionError(.cancelled, path: plan.target) }
        if try staged.move(to: destination, replacing: options.replaces) != nil {
            findings.add(.notDurable, destination)
        }
        options.onCheckpoint?("renamed")
        externals?.keep()
    }
}

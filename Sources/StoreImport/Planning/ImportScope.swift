import ManagedObjectModels
import PersistentStores

/// The files that an import reads, and the files that create objects of each entity.
struct ImportScope {
    /// For each file, the index of its source.
    let files: [Int]
    /// For each entity, the last file that creates objects of it or its subentities, directly or by referring to them, or
    /// that gives source keys to such objects.
    let lastFiles: [Int: Int]
    /// For each root entity, the number of object mappings that create its objects.
    let objectCounts: [Int: Int]

    init(_ compiled: CompiledImport, _ model: ResolvedModel) {
        files = compiled.files
        objectCounts = compiled.sources.flatMap(\.objects).reduce(into: [:]) { $0[$1.table.root, default: 0] += 1 }
        var lastFileOfSource: [Int: Int] = [:]
        for (file, source) in compiled.files.enumerated() { lastFileOfSource[source] = file }
        var last: [Int: Int] = [:]
        for (source, file) in lastFileOfSource {
            for made in compiled.sources[source].madeSlots {
                var slot: Int? = made
                while let current = slot {
                    last[current] = max(last[current] ?? 0, file)
                    slot = model.entities[current].superentity
                }
            }
            // A record may find an object of a subentity, and give it a source key.
            for object in compiled.sources[source].objects where !object.sourceKey.isEmpty {
                for slot in model.entities[object.slot].subtree { last[slot] = max(last[slot] ?? 0, file) }
            }
        }
        lastFiles = last
    }

    /// Returns whether a file that has not been read yet may create objects of an entity, so that a missing object may
    /// still appear. Objects to which earlier files refer exist already, or will not be created.
    ///
    /// - Parameter file: the file that is being read.
    func canAppear(_ slot: Int, from file: Int) -> Bool {
        lastFiles[slot].map { $0 >= file } ?? false
    }
}

import ManagedObjectModels
import PersistentStores

/// Which files an import reads, and which of them make the objects of an entity.
struct ImportScope {
    /// By file, the index of its source.
    let files: [Int]
    /// By entity, the last file that makes objects of it or its subentities, or names some that are made then.
    let lastFiles: [Int: Int]
    /// By root, how many object mappings make its objects.
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
        }
        lastFiles = last
    }

    /// Whether a file that is not read yet makes objects of an entity, or names some that are made then, so that a missing
    /// one may still come. What earlier files name is there, or is nowhere.
    ///
    /// - Parameter file: the one that is being read.
    func canAppear(_ slot: Int, from file: Int) -> Bool {
        lastFiles[slot].map { $0 >= file } ?? false
    }
}

import Foundation
import PersistentStores
import TestSupport

/// A store in a folder of its own, of which migrations get copies.
struct StoreFolder {
    let directory: TemporaryDirectory

    /// The store's main file, which nobody changes.
    let store: String

    init(name: String = "Store.sqlite") throws {
        directory = try TemporaryDirectory()
        try FileManager.default.createDirectory(atPath: directory.file("original"), withIntermediateDirectories: true)
        store = directory.file("original/\(name)")
    }

    /// Copies a store from elsewhere, with its log and its external data.
    init(copying path: String) throws {
        try self.init(name: FileSystem.name(of: path))
        try StoreFiles(path).copyAll(to: StoreFiles(store))
    }

    /// A fresh folder with a copy of the store in it; returns the path of the copy.
    func copy(named folder: String) throws -> String {
        let target = directory.file(folder)
        try FileManager.default.createDirectory(atPath: target, withIntermediateDirectories: true)
        let copy = target + "/" + FileSystem.name(of: store)
        try StoreFiles(store).copyAll(to: StoreFiles(copy))
        return copy
    }

    /// Migrates a copy of the store.
    func migrate(_ placement: Placement, _ words: [String]) throws -> (run: ToolProcess.Result, result: String) {
        let copy = try copy(named: placement.rawValue)
        switch placement {
        case .output:
            let folder = directory.file("new")
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            let result = folder + "/" + FileSystem.name(of: store)
            return (try ToolProcess.ferry(["migrate", copy, "--output", result] + words), result)
        case .replace: return (try ToolProcess.ferry(["migrate", copy] + words), copy)
        case .inPlace: return (try ToolProcess.ferry(["migrate", copy, "--in-place"] + words), copy)
        }
    }
}

extension StoreFiles {
    /// Copies the files as they are, the index of the log too.
    func copyAll(to target: StoreFiles) throws {
        let files = FileManager.default
        for (from, to) in zip([path] + sidecars, [target.path] + target.sidecars) where files.fileExists(atPath: from) {
            try files.copyItem(atPath: from, toPath: to)
            // The corpus is read-only; an app's store is not.
            try files.setAttributes([.posixPermissions: 0o644], ofItemAtPath: to)
        }
        guard files.fileExists(atPath: externalDataDirectory) else { return }
        try files.createDirectory(atPath: target.externalDataDirectory, withIntermediateDirectories: true)
        for name in try files.contentsOfDirectory(atPath: externalDataDirectory) {
            try files.copyItem(
                atPath: externalDataDirectory + "/" + name, toPath: target.externalDataDirectory + "/" + name)
        }
    }
}

import Glibc

extension StoreUnit {
    /// Moves the store; no process may have it open.
    ///
    /// On one device, the main file of a store in rollback mode is renamed; external data are linked to their new names
    /// before and lose the old ones afterwards. In WAL mode, and to another device, the store is copied, and then
    /// removed at its old place. A move that was killed, or whose durability is unknown, is resumed. Returns notes for
    /// the user.
    /// - Throws: `StoreError` if the store is in use, or something is at the destination that must not be replaced; or
    ///   if a file cannot be moved or copied. The store is then complete at one of the two places.
    public func move(to path: String) throws -> [String] {
        let destination = StoreFiles(followingLinks: path)
        let move = StoreMove(of: self, to: destination)
        guard type != nil else { return try move.finishWithoutMainFile() }
        if let fingerprint = try move.fingerprintAtBothPlaces() { return try move.finish(fingerprint) }
        return try move.run(replacing: checkDestination(destination))
    }

    /// Removes the store, even if it is damaged; no process may have it open.
    ///
    /// The main file is removed first, so that the remaining files cannot be opened as a store. Links are removed, but
    /// not their targets.
    /// - Throws: `StoreError` if the store is in use, or a file cannot be removed.
    public func remove() throws -> [String] {
        let lock = try holdForRemoval()
        checkpoint("settled")
        do throws(FileError) {
            // While the store is held: files that are put there for a new store later do not belong to this one.
            let external = try FileSystem.files(below: files.supportDirectory)
            if lock == nil, type != nil {
                // Without its main file, a journal would be used for the next store of that name.
                for path in [files.journal, files.writeAheadLog] { try FileSystem.remove(path) }
            }
            try FileSystem.remove(files.path)
            checkpoint("removed")
            lock?.release()
            if lock == nil { for path in files.sidecars { try FileSystem.remove(path) } }
            let notes = try removeExternalData(external)
            try FileSystem.synchronize(files.directory)
            return notes
        } catch {
            lock?.abandon()
            throw StoreError(error)
        }
    }

    /// Returns nil for a store that has no locks, that is read-only, so that no process writes to it either, or that is
    /// damaged.
    private func holdForRemoval() throws -> ReplacementLock? {
        guard type == .sqlite else { return nil }
        do {
            let lock = try ReplacementLock(holding: files, timeout: options.timeout)
            try lock.seal()
            return lock
        } catch let error as StoreError {
            switch error.code {
            case .locked, .locksUnavailable, .changed, .noSpace: throw error
            default: return nil
            }
        }
    }

    /// Removes external data, unless another store uses the folder; returns a note in that case.
    private func removeExternalData(_ external: [String]) throws(FileError) -> [String] {
        let folder = files.supportDirectory
        let sharers = sharers(of: files)
        guard sharers.isEmpty else { return ["\(folder) stays: \(sharers.joined(separator: ", ")) uses it too"] }
        if FileSystem.isLink(folder) { try FileSystem.remove(folder) }
        for path in external { try FileSystem.remove(path) }
        guard try FileSystem.removeEmpty(folder) else {
            return ["\(folder) stays: another process has put something in it"]
        }
        return []
    }
}

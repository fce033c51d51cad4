import Glibc

extension StoreUnit {
    /// Moves the store; nobody may have it open.
    ///
    /// On one device its main file is renamed, and external data get their new names before and lose the old ones
    /// afterwards; to another device the store is copied, and removed where it was.
    /// Returns what the user should know.
    public func move(to path: String) throws -> [String] {
        let destination = StoreFiles(followingLinks: path)
        let replaced = try checkDestination(destination)
        if type == .sqlite { try settle(files, StoreFingerprint(of: files, isSettled: true)) }
        checkpoint("settled")
        guard FileSystem.device(files.path) == FileSystem.device(destination.directory) else {
            return try copy(to: path) + remove()
        }
        let fingerprint = StoreFingerprint(of: files, isSettled: true)
        let external = ExternalDataMerge(
            from: files, to: destination, isLinking: true, isCancelled: options.isCancelled)
        try external.check()
        try external.run()
        checkpoint("external data")
        do {
            if let replaced, try StoreType(ofStoreAt: destination.path) == .sqlite { try settle(destination, replaced) }
            guard StoreFingerprint(of: files) == fingerprint else { throw StoreError(.changed, path: files.path) }
            try rename(to: destination, replacing: replaced != nil)
        } catch {
            external.undo()
            throw error
        }
        checkpoint("renamed")
        var notes = replaced != nil ? try external.removeOthers(unless: sharers(of: destination)) : []
        checkpoint("replaced data removed")
        notes += try removeParts()
        return notes
    }

    private func rename(to destination: StoreFiles, replacing: Bool) throws(StoreError) {
        do throws(FileError) {
            if replacing {
                for path in destination.sidecars { try FileSystem.remove(path) }
                try FileSystem.rename(files.path, to: destination.path)
            } else {
                try FileSystem.renameExclusively(files.path, to: destination.path)
            }
            try FileSystem.synchronize(destination.directory)
        } catch {
            throw error.number == EEXIST ? StoreError(.exists, path: destination.path) : StoreError(error)
        }
    }

    /// Removes the store; nobody may have it open. A damaged one goes too.
    ///
    /// The main file goes first: what is left then is no store that somebody could open. Links are removed, and what
    /// they lead to stays.
    public func remove() throws -> [String] {
        if type == .sqlite {
            do {
                try settle(files, StoreFingerprint(of: files, isSettled: true))
            } catch let error as StoreError {
                switch error.code {
                case .locked, .locksUnavailable, .changed, .noSpace: throw error
                // It may only be read, so that nobody writes to it either; or it is damaged.
                default: break
                }
            }
            checkpoint("settled")
        }
        do throws(FileError) {
            // Without its main file a journal would be the next store's of that name.
            for path in [files.journal, files.writeAheadLog] where FileSystem.isThere(files.path) {
                try FileSystem.remove(path)
            }
            try FileSystem.remove(files.path)
            checkpoint("removed")
        } catch {
            throw StoreError(error)
        }
        return try removeParts()
    }

    /// Removes what is not the main file.
    private func removeParts() throws -> [String] {
        do throws(FileError) {
            for path in files.sidecars { try FileSystem.remove(path) }
        } catch {
            throw StoreError(error)
        }
        let notes = try removeExternalData(of: files)
        do throws(FileError) {
            try FileSystem.synchronize(files.directory)
        } catch {
            throw StoreError(error)
        }
        return notes
    }
}

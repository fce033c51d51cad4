import Glibc

/// Copies the external data of a store to a new one.
public enum ExternalDataCopy {
    /// Copies the support folder of a store to that of a new store.
    ///
    /// A folder that an earlier run left behind without its store is completed; files in it that are not in the source
    /// are an error, since they belong to something else.
    ///
    /// Returns whether the folder was made.
    /// - Parameters:
    ///   - source: the files of the store whose data are copied.
    ///   - destination: the files of the new store.
    ///   - isCancelled: called from time to time; true ends the copy with an error.
    /// - Throws: `StoreError` if a folder is a link, a file cannot be copied, the destination has other files, or the
    ///   copy was cancelled.
    public static func copy(
        from source: StoreFiles, to destination: StoreFiles, isCancelled: (() -> Bool)? = nil
    ) throws(StoreError) -> Bool {
        guard FileSystem.isDirectory(source.supportDirectory) else { return false }
        // Files behind a link do not belong to the store.
        for folder in [source.supportDirectory, source.externalDataDirectory] where FileSystem.isLink(folder) {
            throw StoreError(FileError(.copy, folder, number: ELOOP))
        }
        do {
            let target = destination.supportDirectory
            guard FileSystem.exists(target) else {
                let staged = target + ".ferry-staging"
                try FileSystem.remove(staged)
                do {
                    try FileSystem.copyDirectory(source.supportDirectory, to: staged, isCancelled: isCancelled)
                } catch {
                    try? FileSystem.remove(staged)
                    throw error
                }
                try FileSystem.rename(staged, to: target)
                try FileSystem.synchronize(destination.directory)
                return true
            }
            let names = try FileSystem.names(in: destination.externalDataDirectory)
            let known = Set(try FileSystem.names(in: source.externalDataDirectory))
            guard Set(names) == known,
                names.allSatisfy({
                    FileSystem.size(source.externalDataDirectory + "/" + $0)
                        == FileSystem.size(destination.externalDataDirectory + "/" + $0)
                })
            else { throw StoreError(.exists, path: target) }
            return false
        } catch let error as FileError {
            throw StoreError(error)
        } catch let error as StoreError {
            throw error
        } catch {
            throw StoreError(.corrupt("\(error)"), path: destination.path)
        }
    }
}

import DocumentReading
import Glibc
import XMLStores

extension StoreType {
    /// Checks that the file of an XML or binary store is not truncated; does not check values.
    ///
    /// A SQLite store's file is checked by the connection that opens it.
    /// - Parameter isCancelled: called from time to time; true ends the check with an error whose `isCancelled` is
    ///   true.
    func checkEnding(ofStoreAt path: String, isCancelled: (() -> Bool)? = nil) throws(StoreError) {
        switch self {
        case .sqlite: break
        case .binary: try BinaryStoreMetadata(path: path).checkEnding()
        case .xml:
            do throws(DocumentError) {
                if try XMLStoreReader(path: path).skipToEnd(isCancelled: isCancelled) { return }
            } catch {
                throw StoreError(.unreadable("line \(error.location.line): \(error.sentence)"), path: path)
            }
            throw StoreError(FileError(.read, path, number: ECANCELED))
        }
    }
}

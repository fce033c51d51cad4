internal import Glibc
import Synchronization

/// The first bytes of standard input: looked at to find out what it is, and read again by the source that it becomes.
package enum StandardInput {
    private static let looked = Mutex<[UInt8]?>(nil)

    /// What a person calls a source.
    package static func title(of name: String) -> String { name == "-" ? "standard input" : name }

    /// The first bytes: as many as one read gives, at most 512.
    static func start() throws(SourceError) -> [UInt8] {
        let result: Result<[UInt8], SourceError> = looked.withLock { known in
            if let known { return .success(known) }
            var bytes = [UInt8](repeating: 0, count: 512)
            while true {
                let count = bytes.withUnsafeMutableBytes { read(STDIN_FILENO, $0.baseAddress, $0.count) }
                if count >= 0 {
                    let start = Array(bytes.prefix(count))
                    known = start
                    return .success(start)
                }
                guard errno == EINTR else { return .failure(SourceError(.cannotRead(systemError: errno), in: "-")) }
            }
        }
        return try result.get()
    }

    /// What was looked at, for the one who reads on; empty the second time.
    static func takeStart() -> [UInt8] {
        looked.withLock { known in
            defer { if known != nil { known = [] } }
            return known ?? []
        }
    }
}

import Foundation

/// What of this process is in memory at the moment.
enum ResidentMemory {
    /// In bytes; pages have 4096.
    static var bytes: Int64 {
        let words = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8))?.split(separator: " ") ?? []
        return words.count > 1 ? (Int64(words[1]) ?? 0) * 4096 : 0
    }
}

import FoundationEssentials

/// What this process has read from files and pipes and has written to them, in bytes.
struct ProcessTransfers: Sendable, Hashable {
    let read: Int64
    let written: Int64

    /// Zero where the system does not tell.
    static var current: ProcessTransfers {
        let text = (try? String(contentsOfFile: "/proc/self/io", encoding: .utf8)) ?? ""
        // Lines of a name and a number (proc(5)).
        func number(of name: String) -> Int64 {
            let line = text.split(separator: "\n").first { $0.hasPrefix(name + ": ") }
            return line.flatMap { Int64($0.dropFirst(name.utf8.count + 2)) } ?? 0
        }
        return ProcessTransfers(read: number(of: "rchar"), written: number(of: "wchar"))
    }
}

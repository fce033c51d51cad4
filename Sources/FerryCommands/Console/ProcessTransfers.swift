import FoundationEssentials

/// The number of bytes that this process has read from files and pipes, and has written to them.
struct ProcessTransfers: Sendable, Hashable {
    let read: Int64
    let written: Int64

    /// The current numbers; zero if the system does not provide them.
    static var current: ProcessTransfers {
        let text = (try? String(contentsOfFile: "/proc/self/io", encoding: .utf8)) ?? ""
        // The file consists of lines with a name and a number (proc(5)).
        func number(of name: String) -> Int64 {
            let line = text.split(separator: "\n").first { $0.hasPrefix(name + ": ") }
            return line.flatMap { Int64($0.dropFirst(name.utf8.count + 2)) } ?? 0
        }
        return ProcessTransfers(read: number(of: "rchar"), written: number(of: "wchar"))
    }
}

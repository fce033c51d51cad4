import Foundation

/// Hands the inputs that libFuzzer makes to the target that `FUZZ_TARGET` names.
public enum FuzzDriver {
    /// Reads one input. An error is an answer; a trap, a hang or too much memory is a finding.
    public typealias Target = @Sendable ([UInt8]) throws -> Void

    /// Set once, before libFuzzer begins, on the only thread.
    fileprivate nonisolated(unsafe) static var target: Target = { _ in }

    /// A folder of this process for targets that need files, best one in memory (`TMPDIR`).
    public static let scratch: String = {
        let path = NSTemporaryDirectory() + "/ferry-fuzzing-\(ProcessInfo.processInfo.processIdentifier)"
        try? FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        return path + "/"
    }()

    /// Writes an input to a file of the scratch folder, and returns its path.
    public static func write(_ bytes: [UInt8], as name: String) -> String {
        _ = FileManager.default.createFile(atPath: scratch + name, contents: Data(bytes))
        return scratch + name
    }

    /// Runs until libFuzzer is done, with the arguments of the process.
    public static func run(_ targets: [String: Target]) -> Never {
        guard let name = ProcessInfo.processInfo.environment["FUZZ_TARGET"], let chosen = targets[name] else {
            let names = targets.keys.sorted().joined(separator: ", ")
            FileHandle.standardError.write(Data("FUZZ_TARGET is one of \(names)\n".utf8))
            exit(64)
        }
        target = chosen
        var count = CommandLine.argc
        var arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? = CommandLine.unsafeArgv
        exit(runDriver(&count, &arguments, readInput))
    }
}

/// What libFuzzer calls with each input; its library asks for the name.
@_cdecl("LLVMFuzzerTestOneInput")
public func readInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    do {
        try FuzzDriver.target(Array(UnsafeBufferPointer(start: start, count: count)))
    } catch {
        // The text of an error is made too: it may trap on what it shows.
        _ = "\(error)"
    }
    return 0
}

/// libFuzzer's own loop, of LLVM's run-time library.
@_silgen_name("LLVMFuzzerRunDriver")
private func runDriver(
    _ count: UnsafeMutablePointer<CInt>,
    _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?>,
    _ callback: @convention(c) (UnsafePointer<UInt8>?, Int) -> CInt
) -> CInt

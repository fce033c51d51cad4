import Dispatch
import Foundation
import Synchronization

/// The independent checker of stores, which lies beside the corpus; its code shares nothing with ours.
///
/// Its processes are kept, since most of the time of a single run is Python's start.
public final class StoreChecker: @unchecked Sendable {
    /// What the checker says: 0 all right, 1 errors found, 2 unreadable, 3 not inferable.
    public struct Verdict: Sendable {
        public let status: Int
        public let text: String
    }

    /// The checker's file; nil if it or Python is absent.
    public static let path: String? = {
        guard let corpus = Corpus.path else { return nil }
        let path = (corpus as NSString).deletingLastPathComponent + "/tools/storecheck"
        return FileManager.default.fileExists(atPath: path) && python != nil ? path : nil
    }()

    public static var isPresent: Bool { path != nil }

    private static let python = ["/usr/bin/python3", "/usr/local/bin/python3", "/bin/python3"].first {
        FileManager.default.isExecutableFile(atPath: $0)
    }

    /// Two at a time, as of the tool itself.
    private static let places = DispatchSemaphore(value: 2)
    private static let idle = Mutex<[StoreChecker]>([])

    /// Asks the checker, as its command line would.
    public static func check(_ words: String...) throws -> Verdict {
        places.wait()
        defer { places.signal() }
        let checker = try idle.withLock { $0.popLast() } ?? StoreChecker()
        let verdict = try checker.ask(words)
        idle.withLock { $0.append(checker) }
        return verdict
    }

    private let conversation: Conversation
    private let directory: TemporaryDirectory

    private init() throws {
        directory = try TemporaryDirectory()
        let script = try directory.write(Self.script, to: "checker.py")
        conversation = try Conversation(Self.python ?? "/usr/bin/python3", ["-B", script, Self.path ?? ""])
    }

    private func ask(_ words: [String]) throws -> Verdict {
        try conversation.send(String(decoding: JSONEncoder().encode(words), as: UTF8.self) + "\n")
        let answer = try conversation.answer(before: "\n")
        let decoded = try JSONDecoder().decode(Answer.self, from: Data(answer.utf8))
        return Verdict(status: decoded.status, text: decoded.text)
    }

    private struct Answer: Decodable {
        let status: Int
        let text: String
    }

    /// Loads the checker as a module and runs its `main` for each line: a list of words as JSON.
    private static let script = """
        import contextlib, importlib.machinery, importlib.util, io, json, sys, traceback
        loader = importlib.machinery.SourceFileLoader('storecheck', sys.argv[1])
        check = importlib.util.module_from_spec(importlib.util.spec_from_loader('storecheck', loader))
        loader.exec_module(check)
        for line in sys.stdin:
            sys.argv = ['storecheck'] + json.loads(line)
            text = io.StringIO()
            with contextlib.redirect_stdout(text), contextlib.redirect_stderr(text):
                try:
                    status = check.main() or 0
                except SystemExit as end:
                    status = end.code or 0
                except Exception:
                    status = 99
                    traceback.print_exc(file=text)
            print(json.dumps({'status': status, 'text': text.getvalue()}), flush=True)
        """
}

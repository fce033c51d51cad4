import ObjectServer

/// `object-server STORE MODELS`: answers the lines of standard input on standard output, each with its number.
@main struct ObjectServerTool {
    static func main() async throws {
        let words = CommandLine.arguments
        guard words.count == 3 else {
            print("usage: object-server STORE MODELS")
            return
        }
        let server = try ObjectServer(store: words[1], models: words[2], workers: 4)
        let lines = AsyncStream<String> { readLine() }
        try await server.serve(lines) { number, answer in print("\(number): \(answer)") }
    }
}

import Foundation
import Testing

/// A name that two libraries give to their types says nothing by itself, and is ambiguous where both are imported.
@Suite struct TypeNameTests {
    @Test func everyTypeNameIsThereOnce() throws {
        let declaration =
            /^(?:@[A-Za-z]+(?:\([^)]*\))? +)*(?:(?:public|package|internal|final|indirect|open|nonisolated) +)*(?:struct|class|enum|actor|protocol|typealias) +([A-Za-z0-9_]+)/
        let folder = Documentation.folder + "/Sources"
        var files: [String: [String]] = [:]
        for name in try FileManager.default.subpathsOfDirectory(atPath: folder) where name.hasSuffix(".swift") {
            let text = try String(contentsOfFile: folder + "/" + name, encoding: .utf8)
            for line in text.split(separator: "\n") {
                guard line.first?.isWhitespace == false, let match = try declaration.prefixMatch(in: line) else {
                    continue
                }
                files[String(match.1), default: []].append(name)
            }
        }
        #expect(files.count > 1000)
        for (name, places) in files where places.count > 1 { Issue.record("\(name): \(places.sorted())") }
    }
}

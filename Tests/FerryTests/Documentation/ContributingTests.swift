import Foundation
import Testing

/// What CONTRIBUTING.md and the page on the architecture say, against the files.
@Suite struct ContributingTests {
    private static let folders = ["Sources", "Tests", "Samples", "Fuzzing", ".ci"]

    /// The sources, tests and scripts that contain a word: regular expressions over all of them would take long.
    private static func files(with word: String) throws -> [(path: String, text: String)] {
        var files: [(path: String, text: String)] = []
        for path in try paths() {
            let data = try Data(contentsOf: URL(fileURLWithPath: Documentation.folder + "/" + path))
            if data.range(of: Data(word.utf8)) == nil { continue }
            files.append((path, String(decoding: data, as: UTF8.self)))
        }
        return files
    }

    private static func paths() throws -> [String] {
        var paths: [String] = []
        for folder in folders {
            let names = try FileManager.default.subpathsOfDirectory(atPath: Documentation.folder + "/" + folder)
            for path in names.map({ folder + "/" + $0 }) where !path.contains(".build/") {
                var isFolder = ObjCBool(false)
                let exists = FileManager.default.fileExists(
                    atPath: Documentation.folder + "/" + path, isDirectory: &isFolder)
                let kind = URL(fileURLWithPath: path).pathExtension
                if exists, !isFolder.boolValue, ["swift", "", "h", "py"].contains(kind) { paths.append(path) }
            }
        }
        return paths
    }

    @Test func everyVariableIsDescribedAndNoOther() throws {
        var used: Set<String> = []
        for file in try Self.files(with: "FERRY_") {
            let lines = file.text.split(separator: "\n").filter { $0.contains("FERRY_") }.joined(separator: "\n")
            for pattern in [/(?:environment\[|(?:value|number)\()\s*"(FERRY_[A-Z_]+)"/, /\$\{?(FERRY_[A-Z_]+)/] {
                for match in lines.matches(of: pattern) { used.insert(String(match.1)) }
            }
        }
        let page = try DocumentationPage(path: "CONTRIBUTING.md")
        let described = Set(page.text(of: "Variables").matches(of: /\| `(FERRY_[A-Z_]+)` \|/).map { String($0.1) })
        #expect(used.count > 10)
        #expect(used.subtracting(described) == [])
        #expect(described.subtracting(used) == [])
    }

    @Test(arguments: ["CONTRIBUTING.md", "docs/architecture.md"])
    func everyPathThatIsNamedExists(page: String) throws {
        let page = try DocumentationPage(path: page)
        let paths = Documentation.words(in: page.text, like: /(?:Sources|Tests|Samples|\.ci)\/[A-Za-z+.\/]+/)
        #expect(paths.count > 3)
        for path in paths {
            #expect(FileManager.default.fileExists(atPath: Documentation.folder + "/" + path), "\(path)")
        }
    }

    /// How many files an addition touches: those that have the name of one that is there.
    @Test func additionsTouchTheFilesThatArchitectureNames() throws {
        let rows = try DocumentationPage(path: "docs/architecture.md").rows(ofTable: "| Addition |")
        #expect(rows.count == 10)
        var found: [String: Set<String>] = [:]
        let words = rows.map { row in row[1].matches(of: /`([^`]+)`/).map { String($0.1) } }
        for path in try Self.paths() where path.hasPrefix("Sources/") {
            let data = try Data(contentsOf: URL(fileURLWithPath: Documentation.folder + "/" + path))
            for word in Set(words.joined()) where data.range(of: Data(word.utf8)) != nil {
                // Whole words only: the name of a longer one is another one.
                let text = String(decoding: data, as: UTF8.self)
                let parts = text.split { !($0.isLetter || $0.isNumber || $0 == "-" || $0 == "_") }
                if parts.contains(Substring(word)) {
                    found[word, default: []].insert(String(path.dropFirst("Sources/".count)))
                }
            }
        }
        for (row, words) in zip(rows, words) {
            let named = Set(row[3].matches(of: /`([^`]+)`/).map { String($0.1) })
            #expect(!words.isEmpty && named == words.reduce(into: []) { $0.formUnion(found[$1] ?? []) }, "\(row[0])")
            #expect(named.count <= Int(row[2]) ?? 0, "\(row[0])")
        }
    }

    @Test func theWorkflowsCallScriptsThatExist() throws {
        let folder = Documentation.folder + "/.github/workflows"
        var scripts: Set<String> = []
        for name in try FileManager.default.contentsOfDirectory(atPath: folder) {
            let text = try String(contentsOfFile: folder + "/" + name, encoding: .utf8)
            for match in text.matches(of: /run: ((?:Tests|\.ci)\/[a-z-]+)/) { scripts.insert(String(match.1)) }
        }
        #expect(scripts.isSuperset(of: ["Tests/format", "Tests/run", ".ci/run", ".ci/release"]))
        for script in scripts {
            #expect(FileManager.default.isExecutableFile(atPath: Documentation.folder + "/" + script), "\(script)")
        }
    }

    @Test func everyTypeThatIsNamedExists() throws {
        // A file has one type and is named after it.
        let declared = try Self.paths().filter { $0.hasPrefix("Sources/") }.map { path in
            let name = URL(fileURLWithPath: path).deletingPathExtension().lastPathComponent
            return name.split(separator: "+").first.map(String.init) ?? name
        }
        for path in ["CONTRIBUTING.md", "docs/architecture.md", "docs/libraries.md"] {
            let page = try DocumentationPage(path: path)
            let prose = page.text.replacing(/```[\s\S]*?```/, with: "")
            // A word like `EntityColumn`, capitals within and nothing else.
            let named = Documentation.words(in: prose, like: /(?:[A-Z][a-z]+){2,}/)
            let modules = try FileManager.default.contentsOfDirectory(atPath: Documentation.folder + "/Sources")
            let known = modules + ["FoundationEssentials"]
            #expect(named.subtracting(declared).subtracting(known) == [], "\(path)")
        }
    }

    /// Comments lead to headings of `docs/format`, which exist.
    @Test func everyHeadingThatACommentCitesExists() throws {
        var anchors: [String: Set<String>] = [:]
        for page in try Documentation.pages() { anchors[page.path] = page.anchors }
        var cited = 0
        for file in try Self.files(with: "docs/") {
            let lines = file.text.split(separator: "\n").filter { $0.contains("docs/") }.joined(separator: "\n")
            for match in lines.matches(of: /\b(docs\/[A-Za-z\/-]+\.md)(?:#([a-z0-9-]+))?/) {
                cited += 1
                let known = anchors[String(match.1)]
                #expect(known != nil, "\(file.path): \(match.0)")
                if let anchor = match.2 { #expect(known?.contains(String(anchor)) == true, "\(file.path): \(match.0)") }
            }
        }
        #expect(cited > 3)
    }

    /// What is not in the repository cannot be looked up.
    @Test func commentsCiteNothingThatIsNotHere() throws {
        for word in ["SPEC", "behaviours"] {
            for file in try Self.files(with: word + " ") where !file.path.hasSuffix("ContributingTests.swift") {
                for line in file.text.split(separator: "\n") where line.contains(word + " ") && line.contains("//") {
                    Issue.record("\(file.path) cites \(word): \(line); docs/format has a heading for it")
                }
            }
        }
    }
}

import Foundation
import GeneratedStores
import TestSupport

/// A store of the first version of the sample, which a mapping model leads to the second, and inference to the last.
struct ChainScenario {
    let folder: StoreFolder
    let mapping: String

    init() throws {
        let directory = try TemporaryDirectory()
        folder = try StoreFolder(copying: Samples.buildStore("Company", in: directory))
        mapping = folder.directory.file("skills.yaml")
        let converted = try ToolProcess.ferry([
            "mapping", "convert", Samples.path + "/../Mappings/Company/levels-to-skills.yaml", "--models",
            Samples.models("Company"), "--from", "Company", "--to", "Company 2", "--output", mapping,
        ])
        guard converted.status == 0 else { throw Unexpected(text: converted.summary) }
    }

    struct Unexpected: Error { let text: String }

    func words(_ store: String) -> [String] {
        ["migrate", store, "--models", Samples.models("Company"), "--mapping", mapping, "--progress", "none"]
    }

    /// A copy of the store in a folder of its own.
    func copy(_ name: String) throws -> (store: String, folder: String) {
        (try folder.copy(named: name), folder.directory.file(name))
    }

    /// Runs the tool, and gives the checkpoints that it came by.
    func checkpoints(_ words: [String]) throws -> (run: ToolProcess.Result, names: [String]) {
        let log = try folder.directory.write("", to: "checkpoints-\(UUID().uuidString).txt")
        let run = try ToolProcess.ferry(words, environment: ["FERRY_TEST_CHECKPOINTS": log])
        let lines = try String(contentsOfFile: log, encoding: .utf8).split(separator: "\n")
        return (run, lines.map { String($0.drop { $0 != " " }.dropFirst()) })
    }

    /// What the independent checker says against a store; empty if it is not there.
    static func faults(_ store: String, model: String) throws -> [String] {
        guard StoreChecker.isPresent else { return [] }
        return try ["layout", "integrity"].compactMap { command in
            let verdict = try StoreChecker.check(command, store, model)
            return verdict.text.contains("\(command): 0 errors") ? nil : verdict.text
        }
    }
}

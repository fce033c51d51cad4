import Foundation
import TestSupport
import Testing

/// `--report` of the commands that have it: a page or JSON, by the name.
@Suite struct ReportFileTests {
    private let directory: TemporaryDirectory
    private let store: String
    private let models = Samples.models("Company")

    init() throws {
        directory = try TemporaryDirectory()
        store = try Samples.buildStore("Company", in: directory)
    }

    private func commands() throws -> [[String]] {
        let records = try directory.write("title\nA & B\n", to: "records.csv")
        return [
            ["verify", store, "--models", models],
            ["migrate", store, "--models", models, "--output", directory.file("new.sqlite")],
            ["import", records, "--store", directory.file("in.sqlite"), "--models", models, "--entity", "Project"],
            ["lint", models],
        ]
    }

    @Test(arguments: 0..<4)
    func theNameSaysWhatIsWritten(index: Int) throws {
        let words = try commands()[index]
        let run = try ToolProcess.ferry(words + ["--report", "r.html"], in: directory.path)
        #expect(run.status < 2, "\(run.summary)")
        let page = try String(contentsOfFile: directory.file("r.html"), encoding: .utf8)
        #expect(page.hasPrefix("<!DOCTYPE html>") && page.hasSuffix("</html>\n"))
        let refused = try ToolProcess.ferry(words + ["--report", "r.html"], in: directory.path)
        #expect(refused.status > 1)
        #expect(refused.errors.contains("r.html: it exists already"), "\(refused.errors)")
        #expect(try String(contentsOfFile: directory.file("r.html"), encoding: .utf8) == page)
    }

    @Test func anotherNameIsJSON() throws {
        let run = try ToolProcess.ferry(commands()[0] + ["--report", "r.json"], in: directory.path)
        #expect(run.status == 0, "\(run.summary)")
        let data = try Data(contentsOf: URL(fileURLWithPath: directory.file("r.json")))
        #expect(try JSONSerialization.jsonObject(with: data) is [String: Any])
    }
}

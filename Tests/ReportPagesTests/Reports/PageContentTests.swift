import Foundation
import ReportPages
import StoreImport
import StoreMigration
import TestSupport
import Testing

/// What the pages of each report say.
@Suite struct PageContentTests {
    private func texts(_ example: PageExample) throws -> (ReportPage, [String]) {
        let page = try example.page(in: TemporaryDirectory())
        return (page, try PageOutline(page.html()).texts)
    }

    @Test func aMigrationShowsItsPlanItsDiagramAndItsFindings() throws {
        let (page, texts) = try texts(.migration)
        #expect(page.outcome == .done)
        for text in [
            "transferring", "IEM_Transform_Employee", "Company → Company 4", "objects-dropped", "Peak memory",
            "Step 1 of 1: Company to Company 4",
        ] {
            #expect(texts.contains(text), "\(text)")
        }
        #expect(page.html().contains("<svg "))
        #expect(!page.html().contains("<?xml"))
    }

    @Test func aPlanSaysThatNothingWasChanged() throws {
        let (page, texts) = try texts(.plan)
        #expect(page.outcome == .done)
        #expect(page.verdict.hasPrefix("Nothing was changed."))
        #expect(!texts.contains("What became of it"))
    }

    @Test func anImportShowsCountsAndRejects() throws {
        let (page, texts) = try texts(.importing)
        #expect(page.outcome == .findings)
        #expect(page.verdict == "Imported 2 000 records, 1 rejected.")
        #expect(texts.contains("1 000/s"))
        #expect(texts.contains("Rejected records"))
        #expect(texts.contains("Rows per second, at most 3 000"))
        #expect(texts.contains("Memory, at most 15.3 MiB"))
        // 640 wide and 104 high: half of the time is half of the width, a third of the rate a third of the height.
        #expect(page.html().contains("points=\"0.0,34.0 160.0,34.0 160.0,103.3 320.0,103.3 320.0,138.0 640.0,138.0\""))
    }

    @Test func rejectsAreGroupedByWhatIsWrong() throws {
        func fault(_ error: String, _ code: Int, _ property: String, _ value: String) -> String {
            """
            {"entity": "Project", "property": "\(property)", "code": \(code), "error": "\(error)", "value": "\(value)",
             "message": "wrong & \(error)", "text": "a line"}
            """
        }
        func record(_ line: Int, _ count: Int, _ faults: String...) -> String {
            """
            {"file": "<b>.csv", "line": \(line), "byteOffset": 0, "faultCount": \(count),
             "faults": [\(faults.joined(separator: ","))]}
            """
        }
        let long = fault("stringTooLong", 1660, "title", "A&B")
        let records = [
            record(7, 1, long), record(8, 2, fault("numberTooLarge", 1610, "budget", "9"), long), record(9, 3, long),
        ]
        var report = ImportReport(store: "A.sqlite", isDryRun: false, sources: [.init(name: "<b>.csv")])
        report.sources[0].rejected = 5
        report.firstRejections = ["a", "b", "c"]
        report.firstFaults = try JSONDecoder().decode(
            [RejectedRecord].self, from: Data("[\(records.joined(separator: ","))]".utf8))
        let version = try VersionCatalog(paths: [Samples.models("Company")]).version(forNewStore: nil)
        let texts = try PageOutline(ReportPage(report, version: version, tool: "ferry 1").html()).texts
        #expect(texts.contains { $0.hasPrefix("5 in all; the first 3 are shown here") })
        #expect(texts.filter { $0 == "stringTooLong [1660]" }.count == 1)
        #expect(texts.filter { $0 == "numberTooLarge [1610]" }.count == 1)
        #expect(texts.contains("(3)") && texts.contains("(1)"))
        for place in ["<b>.csv:7  A&B", "<b>.csv:8  A&B", "<b>.csv:9  A&B", "<b>.csv:8  9"] {
            #expect(texts.contains(place), "\(texts)")
        }
        #expect(texts.contains { $0.hasPrefix("<b>.csv:9: 2 more faults") })

        report.rejections = try JSONDecoder().decode(
            [RejectionCount].self,
            from: Data(
                """
                [{"error": "missing", "code": 1570, "entity": "Project", "property": "code", "message": "none",
                  "count": 41},
                 {"error": "stringTooLong", "code": 1660, "entity": "Project", "property": "title", "message": "long",
                  "count": 1234},
                 {"error": "numberTooLarge", "code": 1610, "entity": "Project", "property": "budget", "message": "big",
                  "count": 2}]
                """.utf8))
        let counted = try PageOutline(ReportPage(report, version: version, tool: "ferry 1").html()).texts
        // Those that no shown record has too.
        for text in ["(41)", "(1 234)", "(2)", "missing [1570]", "<b>.csv:8  9"] {
            #expect(counted.contains(text), "\(counted)")
        }
        #expect(!counted.contains("(3)") && counted.contains { $0.hasSuffix("counts are of all of them.") })
        #expect(counted.filter { $0 == "stringTooLong [1660]" }.count == 1)
    }

    @Test func aVerificationShowsTheHashesOfTheVersion() throws {
        let (page, texts) = try texts(.verification)
        #expect(page.outcome == .done)
        #expect(page.verdict == "The store: sound.")
        #expect(texts.contains { $0.count == 64 && $0.allSatisfy(\.isHexDigit) })
    }

    @Test func findingsOfOneCodeAreOneGroup() throws {
        let (page, texts) = try texts(.lint)
        #expect(page.outcome == .findings)
        #expect(texts.filter { $0 == "FM301" }.count == 1)
        #expect(texts.filter { $0 == "Chef.<favorites>" }.count == 2)
        #expect(texts.contains("a/contents:11"))
    }

    @Test func aFleetShowsVersionsAndWhyStoresFailed() throws {
        let (page, texts) = try texts(.fleet)
        #expect(page.outcome == .failed)
        #expect(page.verdict == "2 stores: 1 done, 1 failed, 0 pending.")
        for text in ["Company 4", "not-a-store", "Stores by version", "Throughput", "Slowest stores"] {
            #expect(texts.contains(text), "\(text)")
        }
        #expect(texts.contains { $0.hasSuffix("/<b>.sqlite") })
    }
}

import CommandLineParsing
import ReportPages
import StoreFleets

struct FleetReportOptions: OptionTable {
    var progress = ProgressMode.auto
    var isJSON = false
    var html: String?
    var isForced = false
    var operands: [String] = []

    static let flags: [Flag<Self>] = [
        .progress(\.progress),
        .switch("json", \.isJSON, "Print JSON."),
        .optionalValue("html", \.html, placeholder: "FILE", "Write one page of HTML that needs no other file."),
        .force(\.isForced, "a page"),
    ]
}

extension Command {
    static let fleetReport = Command(
        "report", "Report what became of the stores of a fleet",
        discussion:
            "Versions before and after, failures by reason with examples, sizes and times, throughput, the slowest "
            + "stores, and the shards to run again. The exit status is 1 if stores failed.",
        operands: .one("MANIFEST"), options: FleetReportOptions.self
    ) { options in
        if options.isJSON, options.html != nil { throw UsageError.conflict("--html", with: "--json") }
        if options.isForced, options.html == nil { throw UsageError.dependent("--force", on: "--html") }
        if let path = options.html { try CommandOutput.check(path, isReplacing: options.isForced) }
        let report = try ProgressWatch.during("reading", options.progress) { _ in
            try FleetReader(FleetManifest(path: options.operands[0])).report()
        }
        if let path = options.html {
            let page = ReportPage(report, tool: ReportFile.tool).html()
            try CommandOutput.write(Array(page.utf8), to: path, isReplacing: options.isForced)
        } else {
            Console.print(options.isJSON ? try JSONText.text(report) : report.description)
        }
        return report.status.failed > 0 ? .findings : .done
    }
}

import CommandLineParsing
import ReportPages

/// The file of `--report`: an HTML page if its name ends in `.html`, otherwise JSON.
enum ReportFile {
    /// The name and version of the tool on pages.
    static var tool: String { "ferry \(CommandTable.ferry.version)" }

    static func write(
        to path: String, isReplacing: Bool, json: @autoclosure () throws -> String,
        page: @autoclosure () -> ReportPage
    ) throws {
        guard path.lowercased().hasSuffix(".html") else {
            return try CommandOutput.write(json(), to: path, isReplacing: isReplacing)
        }
        try CommandOutput.write(page().html(), to: path, isReplacing: isReplacing)
    }
}

extension Flag where Options: OptionTable {
    /// Returns the option for a report in a file.
    static func report(_ path: Path<String?>, _ what: String = "the report") -> Self {
        .optionalValue(
            "report", path, placeholder: "FILE",
            "Write \(what): a page to read if the name ends in .html, else JSON; - is standard output.")
    }
}

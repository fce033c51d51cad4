import Foundation

/// `acceptance FOLDER`: judges the cases that `make-inputs` made.
@main
enum Acceptance {
    static func main() {
        guard CommandLine.arguments.count == 2 else {
            print("usage: acceptance FOLDER")
            exit(64)
        }
        do {
            let verdicts = try judge(URL(fileURLWithPath: CommandLine.arguments[1], isDirectory: true))
            for verdict in verdicts { print(verdict) }
            let failures = verdicts.count { !$0.failures.isEmpty }
            print("\(verdicts.count) cases, \(failures) failed")
            exit(failures == 0 ? 0 : 1)
        } catch {
            print("acceptance: \(error)")
            exit(2)
        }
    }

    private static func judge(_ folder: URL) throws -> [Verdict] {
        let table = try String(contentsOf: folder.appendingPathComponent("cases.tsv"), encoding: .utf8)
        return try table.split(separator: "\n").map { line in
            let fields = line.split(separator: "\t").map(String.init)
            guard fields.count >= 3 else { throw CocoaError(.fileReadCorruptFile) }
            let place = folder.appendingPathComponent(fields[1], isDirectory: true)
            var verdict = Verdict(kind: fields[0], name: fields[1])
            do {
                switch fields[0] {
                case "open":
                    try OpenCase(folder: place, type: fields[2], file: fields[3]).judge(&verdict)
                case "migrate":
                    try MigrationCase(folder: place, isMigratedByFerry: fields[2] == "migrates").judge(&verdict)
                default: verdict.failures.append("a kind of case that is not known")
                }
            } catch {
                verdict.failures.append("\(error)")
            }
            return verdict
        }
    }
}

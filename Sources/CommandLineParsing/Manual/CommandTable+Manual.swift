extension CommandTable {
    /// Returns manual pages in mdoc macros: `ferry.1`, and one per command, such as `ferry-mapping-check.1` for `ferry
    /// mapping check`.
    ///
    /// Each page begins with `note`, a line about the origin of the page.
    ///
    /// - Parameters:
    ///   - note: a line about the origin of the pages.
    ///   - date: the date of the pages, such as "November 22, 2026".
    public func manualPages(note: String, date: String) -> [RenderedDocument] {
        var pages = [page([tool], note: note, date: date, content: manual())]
        forEachCommand { path, command in
            pages.append(page(path, note: note, date: date, content: manual(of: command, path: path)))
        }
        return pages
    }

    private func page(_ path: [String], note: String, date: String, content: [String]) -> RenderedDocument {
        let name = Self.manualName(path)
        var lines = [".\\\" " + note, ".Dd " + date, ".Dt \(name.uppercased()) 1", ".Os \(tool) \(version)"]
        lines += content
        return RenderedDocument(name: name + ".1", text: lines.joined(separator: "\n") + "\n")
    }

    /// Returns the page of the tool.
    private func manual() -> [String] {
        var lines = heading([tool], abstract: abstract)
        lines += [".Ar COMMAND", ".Op Ar options"]
        lines += [".Sh DESCRIPTION"] + ManualText.prose(abstract + ".")
        lines += [".Pp", "The commands are:"]
        lines += list(commands.map { (macro: "Cm " + ManualText.argument($0.name), text: $0.abstract + ".") })
        lines += [".Pp", "Each has a manual page of its own."]
        lines += [".Sh OPTIONS"] + options([.help, .version])
        return lines + ending() + seeAlso(commands.map { [tool, $0.name] })
    }

    private func manual(of command: Command, path: [String]) -> [String] {
        var lines = heading(path, abstract: command.abstract)
        if command.subcommands.isEmpty {
            if !command.operands.synopsis.isEmpty { lines.append("." + operands(command.operands.synopsis)) }
            lines += command.flags.filter(\.isRequired).map { ".Fl " + Self.usage($0) }
            lines.append(".Op Ar options")
        } else {
            lines.append(".Ar COMMAND")
        }
        lines += [".Sh DESCRIPTION"] + ManualText.prose(command.abstract + ".")
        if !command.discussion.isEmpty { lines += [".Pp"] + discussion(command.discussion) }
        if !command.subcommands.isEmpty {
            lines += [".Pp", "The commands are:"]
            lines += list(
                command.subcommands.map { (macro: "Cm " + ManualText.argument($0.name), text: $0.abstract + ".") })
        }
        lines += [".Sh OPTIONS"] + options(command.flags + [.help])
        let members = command.subcommands.map { path + [$0.name] }
        let neighbours = relatedCommands(to: path[1]).map { [tool, $0] }
        let parents = path.count > 2 ? [Array(path.dropLast())] : []
        return lines + ending() + seeAlso([[tool]] + parents + members + neighbours)
    }

    private func heading(_ path: [String], abstract: String) -> [String] {
        // The words that call a command are joined to its name, as in the name of its page.
        [
            ".Sh NAME", ".Nm \(Self.manualName(path))", ".Nd \(abstract.prefix(1).lowercased() + abstract.dropFirst())",
            ".Sh SYNOPSIS", ".Nm \(path.joined(separator: " "))",
        ]
    }

    /// Returns the sections on environment and exit statuses, which are the same for all commands.
    private func ending() -> [String] {
        var lines: [String] = []
        if !environment.isEmpty {
            lines += [".Sh ENVIRONMENT"]
            lines += list(environment.map { (macro: "Ev " + $0.name, text: $0.help) })
        }
        lines += [".Sh EXIT STATUS"]
        return lines + list(ExitStatus.allCases.map { (macro: String($0.rawValue), text: $0.meaning) })
    }

    private func seeAlso(_ paths: [[String]]) -> [String] {
        let names = Set(paths.map(Self.manualName)).sorted()
        guard !names.isEmpty else { return [] }
        return [".Sh SEE ALSO"]
            + names.enumerated().map { index, name in ".Xr \(name) 1" + (index + 1 < names.count ? " ," : "") }
    }

    private func options(_ flags: [FlagDescription]) -> [String] {
        list(
            flags.map { flag in
                let short = flag.short.map { "Fl \($0) , " } ?? ""
                return (macro: "\(short)Fl " + Self.usage(flag), text: flag.fullHelp)
            })
    }

    private func list(_ items: [(macro: String, text: String)]) -> [String] {
        [".Bl -tag -width Ds"] + items.flatMap { [".It " + $0.macro] + ManualText.prose($0.text) } + [".El"]
    }

    /// Returns paragraphs, and lines that begin with four spaces, which are unchanged.
    private func discussion(_ text: String) -> [String] {
        var lines: [String] = []
        var prose = ""
        var isLiteral = false
        func endProse() {
            if !prose.isEmpty { lines += ManualText.prose(prose) }
            prose = ""
        }
        for line in text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init) {
            if line.hasPrefix("    ") {
                endProse()
                if !isLiteral {
                    // A display has its own space above it.
                    if lines.last == ".Pp" { lines.removeLast() }
                    lines.append(".Bd -literal -offset indent")
                }
                isLiteral = true
                lines.append(ManualText.literal(String(line.dropFirst(4))))
                continue
            }
            if isLiteral { lines.append(".Ed") }
            isLiteral = false
            if line.isEmpty {
                endProse()
                if lines.last != ".Pp" { lines.append(".Pp") }
            } else {
                prose += line + " "
            }
        }
        endProse()
        if isLiteral { lines.append(".Ed") }
        return lines
    }

    /// Returns operands such as `STORE [get [KEY] | remove KEY]` as macros.
    private func operands(_ synopsis: String) -> String {
        var macros: [String] = []
        let spaced = synopsis.replacing("[", with: " [ ").replacing("]", with: " ] ")
        for word in spaced.split(separator: " ").map(String.init) {
            switch word {
            case "[": macros.append("Oo")
            case "]": macros.append("Oc")
            case "|", "...": macros.append(word)
            case _ where word.hasSuffix("..."): macros += ["Ar", ManualText.argument(String(word.dropLast(3))), "..."]
            case _ where word == word.uppercased(): macros += ["Ar", ManualText.argument(word)]
            default: macros += ["Cm", ManualText.argument(word)]
            }
        }
        return macros.joined(separator: " ")
    }

    private static func usage(_ flag: FlagDescription) -> String {
        let name = ManualText.argument("-" + flag.long)
        return flag.placeholder.map { "\(name) Ar \(ManualText.argument($0))" } ?? name
    }

    private static func manualName(_ path: [String]) -> String {
        path.joined(separator: "-")
    }
}

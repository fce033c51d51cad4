extension DelimitedScanner {
    /// Scans complete records until the entries are full, a number of bytes is reached, or the text ends.
    ///
    /// Fields are stored in `fields` from `fieldCount` on, and records in `entries` from `entryCount` on. Values that
    /// need no unescaping refer to the text itself, by their future place in the arena.
    mutating func scan(
        _ text: Text, byteLimit: Int, fields: UnsafeMutableBufferPointer<RecordField>, fieldCount: inout Int,
        entries: UnsafeMutableBufferPointer<RecordEntry>, entryCount: inout Int
    ) -> Outcome {
        let base = text.base
        let end = text.end
        let isLast = text.isLast
        let delimiterBytes = dialect.delimiter
        let delimiter = delimiterBytes.first ?? 0x2C
        let delimiterLength = delimiterBytes.count
        let newline = dialect.newline
        let strayQuotes = dialect.strayQuotes
        let hasQuote = dialect.quote != nil
        let quote = dialect.quote ?? 0
        let hasEscape = dialect.escape != nil
        let escape = dialect.escape ?? 0
        let hasComment = dialect.comment != nil
        let comment = dialect.comment ?? 0
        let doublesQuotes = dialect.doublesQuotes
        let skipsSpace = dialect.skipsSpaceBeforeQuote && hasQuote
        let stripsReturn = newline == .lineFeed
        let toArena = text.arenaStart &- text.start

        var cursor = StructuralCursor(base, from: text.start, to: end, patterns: patterns)
        var outcome = Outcome(position: text.start, line: text.line)
        var line = text.line
        var recordStart = text.start
        var fieldIndex = fieldCount
        var records = entryCount

        records: while records < entries.count && recordStart &- text.start < byteLimit {
            outcome.stop = .needsBytes
            guard recordStart < end else { break }
            let opening = base[recordStart]
            if opening == 0x0A || opening == 0x0D {
                guard let length = text.lineEndLength(at: recordStart, newline) else { break }
                if length > 0 && skipsEmptyLines {
                    for offset in recordStart..<recordStart + length { cursor.pass(offset) }
                    recordStart += length
                    line += 1
                    outcome.position = recordStart
                    outcome.line = line
                    outcome.stop = .full
                    continue
                }
            } else if hasComment && opening == comment {
                guard let next = text.commentEnd(from: recordStart, newline) else { break }
                // The cursor begins again after the comment, so that quotes and delimiters within it have no effect.
                cursor = StructuralCursor(base, from: next, to: end, patterns: patterns)
                recordStart = next
                line += 1
                outcome.position = recordStart
                outcome.line = line
                outcome.stop = .full
                continue
            }

            let firstField = fieldIndex
            let firstLine = line
            var surplus = 0
            var fieldStart = recordStart
            var stray = -1
            var strayLine = 0
            var recordEnd = end
            var isUnclosed = false

            fields: while true {
                if fieldIndex == fields.count {
                    if fieldIndex - firstField < DelimitedScanner.largestFieldCount {
                        forgetUnescaped(from: firstField, in: fields)
                        outcome.stop = .needsFields
                        break records
                    }
                    fieldIndex -= 1
                    surplus += 1
                }
                if skipsSpace && fieldStart < end && base[fieldStart] == 0x20 {
                    var next = fieldStart + 1
                    while next < end && base[next] == 0x20 { next += 1 }
                    if next < end && base[next] == quote { fieldStart = next }
                }
                var terminator: Int
                if hasQuote && base[fieldStart] == quote && fieldStart < end {
                    cursor.pass(fieldStart)
                    let contentStart = fieldStart &+ 1
                    let openLine = line
                    var hasEscapes = false
                    var close = -1
                    terminator = cursor.next()
                    quoted: while terminator < end {
                        let byte = base[terminator]
                        if byte == quote {
                            let next = terminator &+ 1
                            if doublesQuotes && next < end && base[next] == quote {
                                hasEscapes = true
                                cursor.pass(next)
                                terminator = cursor.next()
                                continue
                            }
                            close = terminator
                            terminator = cursor.next()
                            let isClean =
                                terminator == next
                                || text.isBlank(next..<(terminator < end ? terminator : end), newline, strayQuotes)
                            if isClean {
                                if terminator >= end { break quoted }
                                let ending = base[terminator]
                                let isQuote = ending == quote || (hasEscape && ending == escape)
                                if !isQuote && (ending != delimiter || delimiterLength == 1) { break quoted }
                                if ending == delimiter, text.has(delimiterBytes, at: terminator) != false {
                                    break quoted
                                }
                            }
                            if strayQuotes == .literal {
                                hasEscapes = true
                                close = -1
                                continue
                            }
                            if stray < 0 {
                                stray = next
                                strayLine = line
                            }
                            // The remaining text is read as if it were not quoted, so that the record ends with its
                            // line.
                            while terminator < end {
                                let ending = base[terminator]
                                let isQuote = ending == quote || (hasEscape && ending == escape)
                                if !isQuote
                                    && (ending != delimiter || text.has(delimiterBytes, at: terminator) != false)
                                {
                                    break
                                }
                                terminator = cursor.next()
                            }
                            break quoted
                        }
                        if hasEscape && byte == escape {
                            hasEscapes = true
                            let next = terminator &+ 1
                            if text.isLineEnd(at: next) { line += 1 }
                            cursor.pass(next)
                        } else if byte == 0x0A {
                            line &+= 1
                        } else if byte == 0x0D && (terminator &+ 1 >= end || base[terminator &+ 1] != 0x0A) {
                            line &+= 1
                        }
                        terminator = cursor.next()
                    }
                    if close < 0 {
                        guard isLast else {
                            outcome.openQuote = (fieldStart, openLine)
                            forgetUnescaped(from: firstField, in: fields)
                            break records
                        }
                        isUnclosed = true
                        stray = fieldStart
                        strayLine = openLine
                        close = end
                    }
                    fields[fieldIndex] =
                        hasEscapes
                        ? unescape(text, contentStart..<close, kind: .quoted, field: fieldIndex)
                        : RecordField(.quoted, start: contentStart &+ toArena, length: close &- contentStart)
                } else {
                    terminator = cursor.next()
                    var hasEscapes = false
                    while terminator < end {
                        let byte = base[terminator]
                        if byte == delimiter {
                            if delimiterLength == 1 || text.has(delimiterBytes, at: terminator) != false { break }
                        } else if hasEscape && byte == escape {
                            hasEscapes = true
                            let next = terminator &+ 1
                            if text.isLineEnd(at: next) { line += 1 }
                            cursor.pass(next)
                        } else if hasQuote && byte == quote {
                            if strayQuotes == .reject && stray < 0 {
                                stray = terminator
                                strayLine = line
                            }
                        } else {
                            break
                        }
                        terminator = cursor.next()
                    }
                    var fieldEnd = terminator < end ? terminator : end
                    if stripsReturn && fieldEnd > fieldStart && base[fieldEnd &- 1] == 0x0D
                        && terminator < end && base[terminator] == 0x0A
                    {
                        fieldEnd &-= 1
                    }
                    fields[fieldIndex] =
                        hasEscapes
                        ? unescape(text, fieldStart..<fieldEnd, kind: .text, field: fieldIndex)
                        : RecordField(.text, start: fieldStart &+ toArena, length: fieldEnd &- fieldStart)
                }
                fieldIndex &+= 1

                if terminator >= end {
                    if !isLast {
                        forgetUnescaped(from: firstField, in: fields)
                        break records
                    }
                    recordEnd = end
                    break fields
                }
                if base[terminator] == delimiter {
                    if delimiterLength > 1 {
                        guard text.has(delimiterBytes, at: terminator) == true else {
                            forgetUnescaped(from: firstField, in: fields)
                            break records
                        }
                        for offset in terminator..<terminator + delimiterLength { cursor.pass(offset) }
                    }
                    fieldStart = terminator &+ delimiterLength
                    continue
                }
                recordEnd = terminator &+ 1
                if base[terminator] == 0x0D && !stripsReturn {
                    if recordEnd >= end && !isLast && newline == .any {
                        forgetUnescaped(from: firstField, in: fields)
                        break records
                    }
                    if newline == .any && recordEnd < end && base[recordEnd] == 0x0A {
                        cursor.pass(recordEnd)
                        recordEnd &+= 1
                    }
                }
                break
            }

            entries[records] = RecordEntry(
                firstField: firstField, fieldCount: fieldIndex &- firstField,
                arenaStart: recordStart &+ toArena, arenaLength: recordEnd &- recordStart, line: firstLine,
                sourceOffset: text.sourceOffset &+ recordStart &- text.start)
            if stray >= 0 {
                let code = isUnclosed ? RecordProblem.Code.unclosedQuote : .strayQuote
                problems.append((records, RecordProblem(code, offset: stray - recordStart, line: strayLine)))
            } else if fieldIndex &- firstField &+ surplus != columnCount {
                checkFieldCount(fieldIndex - firstField + surplus, record: records, line: firstLine)
            }
            records &+= 1
            line &+= 1
            recordStart = recordEnd
            outcome.position = recordEnd
            outcome.line = line
            outcome.stop = .full
            fieldCount = fieldIndex
        }
        entryCount = records
        return outcome
    }
}

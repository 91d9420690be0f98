import KeyModel
import LatencyAnalysis
import TraceFormat
import TracePresses

extension InfoReport {
    /// Schema `keyflight.info/1`, one line with a line break.
    package var json: String {
        JSONText.objectText { json in
            json.member("schema", "keyflight.info/1")
            json.member("version", info.file.version)
            json.member("complete", info.file.isComplete)
            json.member("level", info.level.name)
            json.member("levels", objects: info.levels) { json, span in
                json.member("level", span.level.name)
                json.member("from_ns", span.from.nanoseconds)
                json.member("to_ns", span.to.nanoseconds)
                json.member("seq", span.sequence)
            }
            json.member("bytes", info.file.bytes)
            json.member("records", info.records)
            json.member("key_events", info.keyEvents)
            json.member("presses", info.presses)
            json.member("numbered_presses", info.numberedPresses)
            json.member("duration_ns", info.duration.nanoseconds)
            json.member("masked", info.isMasked)
            json.member("devices", objects: info.devices, InfoReport.write)
            json.member("clocks", objects: info.clocks, InfoReport.write)
            json.member("loss", object: { LossLine.write(to: &$0, info.loss) })
            writeMore(&json)
        } + "\n"
    }

    private func writeMore(_ json: inout JSONText) {
        json.member("form", info.file.form)
        json.member("repeats", info.repeats)
        json.member("cancels", info.cancels)
        json.member("texts", info.texts)
        json.member("resolutions", info.resolutions)
        json.member("idle_reports", info.idleReports)
        json.member("unknown_records", info.unknownRecords)
        json.member("clock_relations", objects: info.clockRelations, InfoReport.write)
        json.member("layouts", objects: info.layouts) { json, layout in
            json.member("name", layout.name)
            json.member("hash", layout.hash.hexadecimal(16))
            json.member("stored", layout.isStored)
        }
        if let adapter = info.adapter {
            json.member("adapter", object: { json in
                json.member("toolkit", adapter.toolkit)
                json.member("version", adapter.version)
                json.member("hooks", objects: adapter.hooks) { json, hook in
                    json.member("name", hook.name)
                    json.member("state", hook.state.rawValue)
                    json.member("methods", hook.methods)
                    json.member("reason", hook.reason)
                }
                json.member("install_ns", adapter.installTime)
            })
        }
        json.member("environment", objects: info.environment) { json, fact in
            json.member("name", fact.name)
            json.member("value", fact.value)
        }
    }

    private static func write(to json: inout JSONText, _ device: DeviceRecord) {
        json.member("id", device.device)
        json.member("name", device.name)
        json.member("source", device.source)
        // Only what is known: a Bluetooth keyboard has no endpoint, which is not the same as null.
        for (name, value) in [
            ("bus", device.bus), ("address", device.address), ("endpoint", device.endpoint),
            ("adapter", device.adapter),
        ] where value != nil { json.member(name, value) }
        if let transport = device.transport { json.member("transport", transport) }
        for (name, value) in [
            ("handle", device.handle), ("attribute", device.attribute), ("vid", device.vendor),
            ("pid", device.product),
        ] where value != nil { json.member(name, value) }
    }

    private static func write(to json: inout JSONText, _ relation: ClockRelationRecord) {
        json.member("source", relation.source)
        json.member("reference", relation.reference)
        json.member("offset_ns", relation.offset)
        json.member("uncertainty_ns", relation.uncertainty?.nanoseconds)
        json.member("drift_ppb", relation.drift)
        json.member("residual_ns", relation.residual?.nanoseconds)
        json.member("matches", relation.matches)
        json.member("first_ns", relation.first?.nanoseconds)
        json.member("last_ns", relation.last?.nanoseconds)
    }

    private static func write(to json: inout JSONText, _ clock: ClockRecord) {
        json.member("source", clock.source)
        json.member("unix_ns", clock.unixTime)
        json.member("granularity_ns", clock.granularity)
        json.member("backward_steps", clock.backwardSteps)
    }
}

extension LossLine {
    /// The members of `loss`, the same in every report.
    static func write(to json: inout JSONText, _ loss: LossSummary) {
        json.member("dropped", loss.dropped)
        json.member("gaps", objects: loss.gaps) { json, gap in
            json.member("t_ns", gap.time.nanoseconds)
            json.member("duration_ns", gap.duration?.nanoseconds)
            json.member("cause", gap.cause.name)
            json.member("count", gap.count)
            json.member("detail", gap.detail)
        }
        if loss.gapsLeftOut > 0 { json.member("gaps_left_out", loss.gapsLeftOut) }
        json.member("synthetic", loss.synthetic)
        json.member("damaged", about: loss.damage) { json, damage in
            json.member("offset", damage.offset)
            json.member("reason", damage.reason)
            json.member("records_lost", damage.recordsLost)
        }
        json.member("uncounted_drops", loss.uncountedDrops)
    }
}

extension TraceInfo {
    /// The last members of a report: what is missing, and what was derived and not recorded.
    func writeEnd(to json: inout JSONText) {
        json.member("loss", object: { LossLine.write(to: &$0, loss) })
        guard let rules = file.derivation else { return }
        json.member("derived", object: { json in
            for (name, rule) in [("profile", rules.profile), ("layout", rules.layout)] {
                json.member(name, rule.name)
                json.member(name + "_recorded", rule.origin == .recorded)
            }
            json.member("presses", rules.derived)
            json.member("recorded", rules.recorded)
            json.member("contradicted", rules.contradicted)
            json.member("undetermined", rules.undetermined)
        })
    }
}

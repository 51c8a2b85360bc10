package kernel

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"runtime/debug"
	"slices"
	"time"

	"github.com/orrery-sysml/orrery/kernel/wire"
	"github.com/orrery-sysml/orrery/magics"
	"github.com/orrery-sysml/orrery/render"
)

// An executeRequest is the content of an execute_request.
type executeRequest struct {
	Code         string                     `json:"code"`
	Silent       bool                       `json:"silent"`
	StoreHistory *bool                      `json:"store_history"` // absent: as not silent
	Expressions  map[string]json.RawMessage `json:"user_expressions"`
	AllowStdin   bool                       `json:"allow_stdin"`
	StopOnError  *bool                      `json:"stop_on_error"` // absent: true
}

// cellMetadata is what a notebook says about the cell, in the metadata of the
// request.
type cellMetadata struct {
	CellID  string   `json:"cellId"`
	Deleted []string `json:"deletedCells"`
}

// execute runs a cell.
func (k *server) execute(ctx context.Context, r *request) (*reply, error) {
	var req executeRequest
	if err := read(r, &req); err != nil {
		return nil, err
	}
	var meta cellMetadata
	_ = json.Unmarshal(r.msg.Metadata, &meta) // another front end's metadata is no error
	store := !req.Silent && (req.StoreHistory == nil || *req.StoreHistory)
	if store {
		k.count++
	}
	if !req.Silent {
		k.publish(r.msg.RawHeader, "execute_input", object{"code": req.Code, "execution_count": k.count})
	}
	began := time.Now()
	out := newOutput(ctx, k, r, req)
	outcome := k.run(ctx, magics.Cell{Code: req.Code, ID: meta.CellID, DeletedIDs: meta.Deleted,
		Name: fmt.Sprintf("cell %d", k.count), Count: k.count}, out)
	out.close()

	content := object{"status": "ok", "execution_count": k.count, "payload": out.payload,
		"user_expressions": object{}}
	if outcome.Exit {
		content["payload"] = append(out.payload, object{"source": "ask_exit", "keepkernel": false})
	}
	rep := &reply{msgType: "execute_reply", content: content}
	if outcome.Err != nil {
		k.fail(rep, r, req, outcome.Err)
	} else {
		content["user_expressions"] = k.evaluate(ctx, req.Expressions)
	}
	if store {
		k.hist.add(k.count, req.Code, out.resultText)
	}
	rep.metadata = object{"started": wire.Date(began), "status": rep.content.(object)["status"]}
	return rep, nil
}

// fail makes rep the reply of a cell that ended with err, publishes the error
// and aborts what was sent before the client can know of it.
func (k *server) fail(rep *reply, r *request, req executeRequest, err *magics.CellError) {
	content := failed(err)
	stop := req.StopOnError == nil || *req.StopOnError
	if stop {
		k.requests.abortWaiting()
	}
	if !req.Silent {
		k.publish(r.msg.RawHeader, "error", object{"ename": content["ename"], "evalue": content["evalue"], "traceback": content["traceback"]})
	}
	content["execution_count"] = k.count
	content["user_expressions"] = object{}
	content["payload"] = []any{}
	rep.content = content
	if stop {
		rep.then = func() { k.requests.abortUntil(r.msg.Header.Session, time.Now()) }
	}
}

// abort is the reply of a cell that an error before it has stopped.
func (k *server) abort() *reply {
	return &reply{msgType: "execute_reply", content: object{"status": "aborted", "execution_count": k.count},
		metadata: object{"status": "aborted", "started": wire.Date(time.Now())}}
}

// run calls the interpreter. A panic in it is the error of the cell.
func (k *server) run(ctx context.Context, cell magics.Cell, out *output) (outcome magics.Outcome) {
	interp, fault := k.interpreter(ctx)
	if fault != nil {
		return magics.Outcome{Err: fault}
	}
	defer func() {
		if p := recover(); p != nil {
			k.log.printf("%s: panic: %v\n%s", cell.Name, p, debug.Stack())
			outcome = magics.Outcome{Err: cellError(panicError(p))}
		}
	}()
	return interp.Execute(ctx, cell, out)
}

// evaluate computes user_expressions, each on its own.
func (k *server) evaluate(ctx context.Context, expressions map[string]json.RawMessage) object {
	values := object{}
	for _, name := range slices.Sorted(maps.Keys(expressions)) {
		var expr string
		if json.Unmarshal(expressions[name], &expr) != nil {
			values[name] = failed(cellError(badRequestError("execute_request", "the expression "+name+" is no text")))
			continue
		}
		b, err := k.evaluateOne(ctx, expr)
		if err != nil {
			values[name] = failed(err)
			continue
		}
		value := bundle(b)
		value["status"] = "ok"
		values[name] = value
	}
	return values
}

func (k *server) evaluateOne(ctx context.Context, expr string) (b render.Bundle, err *magics.CellError) {
	interp, fault := k.interpreter(ctx)
	if fault != nil {
		return render.Bundle{}, fault
	}
	defer func() {
		if p := recover(); p != nil {
			k.log.printf("user expression: panic: %v\n%s", p, debug.Stack())
			err = cellError(panicError(p))
		}
	}()
	return interp.Evaluate(ctx, expr)
}
